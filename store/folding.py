"""What does a text say once its disguises are off?

The write gates read a folded copy: compatibility forms (full-width, styled and circled letters)
brought to their plain character, accents, invisible and control characters dropped, Cyrillic and
Greek look-alikes brought to Latin, the traditional characters of the rules' vocabulary brought to
simplified. The stored text is never touched.

Folding goes character by character on purpose. `unicodedata.normalize` over a whole text sorts runs
of combining marks in quadratic time, so that a few hundred kilobytes of them would hold a writer up
for minutes; a table of single characters is linear and gives exact offsets besides.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

__all__ = ["Folded", "fold"]


@dataclass(frozen=True, slots=True, repr=False)
class Folded:
    """A text and its folded views. It has no `repr`: the text may be a credential.

    Attributes:
        original: as given.
        exact: folded, letter case kept.
        lower: folded and lower-cased; as long as `exact`, so that offsets agree.
        squeezed: `lower` without white space: where the hints of a rule are looked up.
    """

    original: str
    exact: str
    lower: str
    squeezed: str

    def spread(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in `squeezed` (start < end) to offsets in `lower`."""
        offset = -1
        first = 0
        for index, character in enumerate(self.lower):
            if not character.isspace():
                offset += 1
                if offset == start:
                    first = index
                if offset == end - 1:
                    return first, index + 1
        return first, len(self.lower)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in `exact` (start < end) to offsets in `original`."""
        if self.exact is self.original:
            return start, end
        offset = 0
        first: int | None = None
        for index, character in enumerate(self.original):
            offset += len(_TABLE[ord(character)])
            if first is None and offset > start:
                first = index
            if offset >= end:
                return (index if first is None else first), index + 1
        length = len(self.original)
        return (length if first is None else first), length


def fold(text: str) -> Folded:
    """The folded views of a text, in time linear in its length."""
    plain = text.isascii() and _CONTROL.search(text) is None
    exact = text if plain else text.translate(_TABLE)
    lower = exact.lower()
    return Folded(text, exact, lower, "".join(lower.split()))


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Me", "Mn"})  # categories with no shape of their own
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols that show nothing

# What a reader's eye takes for Latin letters, and marks that come in many typographic forms.
_LOOKALIKES: Final = (
    "аa еe оo рp сc уy хx іi ѕs јj һh ԁd ԛq ԝw ӏl ɡg ıi ɑa οo αa νv ρp ιi κk χx υu "
    "АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЅS ЈJ ԌG ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX "
    '“" ”" „" ‟" 「" 」" 『" 』" «→ »→ ‘\' ’\' ‚\' ‛\' ′\' ∶: ː: ꞉: ⁄/ ∕/ −- '
    "ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ≔= ≡= ≈= ↵→ "
    "〈< 〉> ⟨< ⟩> ‹< ›> │| ┃| ║| ┆| ╎| 【[ 】] 〔[ 〕] ⇒→ ➜→ ➔→ ➡→ ⟶→ ⟹→ ▶→ ►→ ▸→ ➞→ ➝→"
)

# Traditional to simplified, for the characters that the rules speak of. Not a converter of prose.
_TRADITIONAL: Final = (
    "丟丢 並并 併并 來来 係系 俬私 個个 們们 倖幸 傢家 傳传 僅仅 儲储 內内 兩两 別别 "
    "則则 剛刚 動动 協协 卻却 厤历 參参 員员 問问 啓启 啟启 嗎吗 噹当 嚮向 團团 執执 "
    "塊块 壽寿 媽妈 審审 寫写 將将 對对 導导 屬属 帳帐 幷并 幾几 強强 彆别 彔录 後后 "
    "從从 復复 愛爱 態态 憑凭 憶忆 應应 戶户 拋抛 捨舍 換换 擊击 據据 擬拟 數数 於于 "
    "旣既 時时 暫暂 曆历 曉晓 曏向 會会 朮术 査查 條条 棄弃 業业 樂乐 樣样 機机 權权 "
    "歷历 沒没 洩泄 準准 漲涨 為为 無无 爲为 爾尔 獄狱 現现 環环 當当 發发 眞真 瞞瞒 "
    "確确 碼码 礎础 祕秘 種种 箇个 簡简 糰团 約约 級级 組组 結结 絕绝 給给 統统 絶绝 "
    "經经 綫线 網网 線线 練练 緻致 總总 繞绕 繫系 纔才 聯联 聽听 脩修 脫脱 腳脚 臨临 "
    "與与 舊旧 萬万 蓋盖 蔘参 處处 號号 術术 衕同 裏里 補补 裝装 裡里 製制 複复 見见 "
    "規规 視视 覺觉 訓训 記记 訪访 設设 許许 訴诉 註注 証证 詞词 試试 話话 該该 詳详 "
    "認认 語语 誤误 說说 説说 誰谁 調调 請请 證证 譯译 議议 護护 讀读 變变 讓让 財财 "
    "貼贴 資资 賬账 軍军 較较 載载 輕轻 輸输 轉转 迴回 這这 週周 進进 運运 過过 達达 "
    "違违 遶绕 選选 遺遗 還还 郵邮 鈅钥 錄录 錯错 録录 鍵键 鑰钥 長长 門门 開开 闇暗 "
    "關关 隊队 隨随 隱隐 隻只 難难 靈灵 韆千 頁页 項项 須须 預预 題题 類类 顯显 騙骗 "
    "驗验 體体 髮发 鬚须 麪面 麫面 麵面 麼么 麽么 齣出 "
)

_PAIRS: Final = {pair[0]: pair[1] for pair in f"{_LOOKALIKES} {_TRADITIONAL}".split()}


def _fold_character(character: str) -> str:
    if character in _PAIRS:
        return _PAIRS[character]
    category = unicodedata.category(character)
    if character.isspace():
        return character if character in "\t\n\r" else "\n" if category in ("Zl", "Zp") else " "
    if category in _DROPPED or character in _BLANK:
        return ""
    if category == "Pd":
        return "-"
    if "\uac00" <= character <= "\ud7a3":  # Hangul syllables stay whole
        return character
    parts = unicodedata.normalize("NFKD", character)
    return character if parts == character else "".join(map(_fold_character, parts))


class _Table(dict[int, str]):
    """Code point to folded text, filled as characters are met."""

    _LIMIT: Final = 30_000  # entries, so that a text of rare characters cannot fill the memory

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if len(self) < self._LIMIT:
            self[code] = folded
        return folded


_TABLE: Final = _Table()
