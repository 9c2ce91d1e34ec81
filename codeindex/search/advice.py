"""General advice for a query without results, if no better word can be suggested."""

NO_MATCH_ADVICE = (
    "Try broader search terms",
    "Check if the repository is indexed: codeindex status",
)
