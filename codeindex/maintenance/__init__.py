"""Looking after what is stored: comparing it, mending it, throwing away what nobody needs."""
