"""How the table of word vectors is made and measured; not installed."""
