"""Why a result is ranked where it is, and why another is missing.

In: a question, and a result or a path. Out: the ranker's sum by feature.
It repeats the search's own steps and changes none.
"""
