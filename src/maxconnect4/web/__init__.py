"""The page: a server on this machine, and what it tells the browser, which knows no rules."""
