"""Find every line that matches a text or a regular expression.

In: a pattern and filters. Out: the number of all matching lines, and one page of them. Nothing is
ranked by relevance. Regular expressions run in a child process that can be killed.
"""
