"""Find code by its syntax, with a pattern in the code's own language and metavariables.

In: a pattern such as `open($A)`, and filters. Out: the lines on which matching code begins.
Patterns and files are parsed in a child process that can be killed. Results are not ranked.
"""
