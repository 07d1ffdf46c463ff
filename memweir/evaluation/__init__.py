"""How well does recall find, keep and refuse, on a set of memories and questions?

`datasets` reads a set, `runner` loads it into a fresh store and asks its questions, `metrics` and
`significance` judge the answers, `grouping` judges them by session, `report` puts the figures together.
"""
