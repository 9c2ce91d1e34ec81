"""Read files as redacted text: decode, extract documents, redact secrets.

In: bytes below the root. Out: `SafeText`, or the reason why there is none.
It knows neither symbols nor the catalog.
"""
