"""Which writing system is this character? Character classes for regular expressions.

Each constant is the inside of a `[...]` class. Blocks are named whole, assigned or not, so that two
Python versions with different Unicode tables classify a text alike.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "BIGRAM_SCRIPTS",
    "EMOJI",
    "HAN",
    "HANGUL",
    "IGNORABLE",
    "KANA",
    "MARKS",
    "SYMBOLS",
    "UNSPACED",
]

HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"

# Hiragana, Katakana and its extensions, Bopomofo; not the middle dot, which separates words.
KANA: Final = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"

HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"

# Thai, Lao, Myanmar, Khmer: written without spaces, vowels as marks that `\w` does not know.
UNSPACED: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3"

# Scripts whose runs are cut into pairs of characters, because spaces do not delimit their words.
BIGRAM_SCRIPTS: Final = HAN + KANA + HANGUL + UNSPACED

# Combining marks inside words of scripts that do use spaces: `\w` leaves them out.
MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903"
    "\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d"
    "\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b4d\u0b82\u0bbe-\u0bcd\u0c00-\u0c04"
    "\u0c3c-\u0c4d\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03\u0d3b-\u0d4d\u0dca-\u0ddf\u0f71-\u0f84"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20e1\ufe20-\ufe2f"
)

# Pictographs: a text may consist of one of them and mean it.
EMOJI: Final = (
    "\u231a\u231b\u23e9-\u23f3\u23f8-\u23fa\u2600-\u27bf\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001faff"
)

# Other signs that stand for something: currency, arrows, mathematics, letter-like signs, musical notes.
# Not ASCII but "$"; not frames, blocks and Braille cells, which only draw.
SYMBOLS: Final = (
    "$\u00a2-\u00a5\u00a9\u00ae\u00b0\u00b1\u00d7\u00f7\u20a0-\u20cf\u2100-\u214f\u2190-\u23ff"
    "\u25a0-\u25ff\u27c0-\u27ff\u2900-\u2bff\u3012\u3020\u4dc0-\u4dff\U0001d100-\U0001d1ff"
)

# Invisible characters that carry no content: soft hyphen, zero width, direction, variation, fillers.
# Not U+200D, which joins emoji and is dropped elsewhere by its own rule.
IGNORABLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
