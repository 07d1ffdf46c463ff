"""How well does recall find, keep and refuse, on a set of memories and questions?

| module | answers |
|---|---|
| `datasets` | what is in a set |
| `runner`, `batch` | what is answered to every question; many sets at once |
| `offtopic`, `controls` | what should draw nothing |
| `frozen` | what a copy of an existing store answers |
| `metrics`, `calibration`, `grouping` | how good the answers are; whether relevance is a probability |
| `figures`, `bootstrap`, `significance`, `comparison`, `changes` | how sure that is, and against what |
| `ablations`, `tuning` | which other configurations to try |
| `report`, `lines` | everything as JSON; every question as a line |
| `sections`, `tables`, `markdown`, `page`, `plots` | the report for a reader |
"""
