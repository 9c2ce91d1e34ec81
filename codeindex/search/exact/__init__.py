"""Every line that matches a text or a regular expression.

In: a pattern and filters. Out: a count of all lines and one page of them.
It uses no ranking; regular expressions run in a killable child.
"""
