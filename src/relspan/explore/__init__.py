"""What can be asked of a family of equally good models: what if, what instead, what is enough, who is certain?"""

from relspan.explore.explorer import Explorer

__all__ = ["Explorer"]
