"""Pictures of results, as display objects that keep their numbers, axes and figure; they need matplotlib."""
