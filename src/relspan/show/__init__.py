"""A result as HTML: a table for notebooks, and a report in one file that needs no network.

    words.py      what was done, in sentences
    recipe.py     how to do it again, in Python and on the command line
    markup.py     escaped elements, interval bars
    table.py      the tables of features and groups
    snippet.py    what a notebook shows of a result
    bundle.py     the explorer's modules and styles, put into one file
    page.py       the report

Everything shown is in the result; nothing is computed here. Every text is escaped: a script in a column name is a name.
"""
