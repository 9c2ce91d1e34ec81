"""Find every line that matches a text or a regular expression.

In: a pattern and filters. Out: a count of all lines and one page of them.
It uses no ranking. Regular expressions run in a child process that can be killed.
"""
