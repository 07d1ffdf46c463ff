"""What does an English sentence say that is worth remembering? Facts, or the reason for none.

The way of a sentence: words (`tokens`), an explicit request (`requests`), words taken back
(`corrections`), the shape of the whole (`gates`), pieces and units (`pieces` over `clauses`), the
shape of each, its kind (`kinds`), its key (`keys`), names (`names`), days (`dates`) and its statement
(`rewrite`).
"""

from __future__ import annotations

from memweir.learning.english.reading import read_english

__all__ = ["read_english"]
