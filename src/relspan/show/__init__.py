"""What all surfaces share, and the surfaces that need no server. Everything shown is in the result.

    account         everything there is to say about a result; nothing else writes sentences about one
    example_tables  the built-in data sets
    recipe          how to repeat a result, as a command and as a script; nothing else writes either
    marks           the order of features, the marks of classes, and the bar of an interval
    palette         the colours of all charts and pages
    plain_text      what `print(result)` shows
    terminal/       the table of a command
    html/           the report in one file, the table in a notebook, and the files that all pages share

Every text is escaped: a script in the name of a column is a name, and control characters cannot steer a terminal.
"""
