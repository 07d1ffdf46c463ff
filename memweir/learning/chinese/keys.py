"""Which question does a Chinese statement give the one answer to? Its semantic key, if it is clear.

Made of whose it is and what is asked: "生日", "妹妹.生日", "偏好.编辑器", "项目.包管理器".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from memweir.learning.chinese import lexicon
from memweir.learning.chinese.clauses import Clause, View
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.readings import Reading
from memweir.learning.chinese.subjects import Subject, tagged

__all__ = ["key_of", "reply_key"]

_LATIN: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9]*(?:[-.+#][A-Za-z0-9+#]+)*[+#]*(?: (?:IDEA|Studio|Code|Text|Boot"
    r"|Linux))?"
)


def key_of(clause: Clause, subject: Subject, reading: Reading, view: View) -> str | None:
    """The semantic key of a reading; None where it has none."""
    owner = _owner(subject)
    if owner is None:
        return None
    if reading.rule == "extract.name":
        return _name_key(subject, reading)
    find = _FINDERS.get(reading.rule)
    if find is not None:
        return find(clause.body, subject, owner)
    if reading.kind in ("preference", "decision") or reading.rule == "extract.use":
        return _choice_key(clause, subject, reading, view)
    return None


_ATTRIBUTE: Final = Pattern(
    r"(?:<attribute>|<category>)(?=是|为|在|有|叫|:|：|现|目|一|大|今|已|只|就|定|挺|很|\d"
    r"|[一二三四五六七八九十])"
)
_PLACE: Final = Pattern("<place>")
_FAVOURITE: Final = Pattern("(?:最喜欢的|最爱的|首选的?|主力|常用的?|默认的?|用的)(?P<noun><category>)")
_NO_LONGER: Final = re.compile("以前|曾|小时候|之前|过")
_EMPLOYED: Final = re.compile(r"在(?P<at>[^,]{2,16}?)(?:工作|上班|任职|就职|供职)")
_TRADE: Final = re.compile(
    r"是(?:一?[名个位])?[^,]{0,10}?(?:师|员|生|工|医生|警察|律师|教授|司机|会计|护士|经理|主管"
    r"|总监|顾问|作家|记者|设计|厨师|老板)$"
)
_MEASURES: Final = ("身高", "体重", "血型")


def _attribute_key(body: str, subject: Subject, owner: str) -> str | None:
    noun = _ATTRIBUTE.search(body)
    if noun is None or subject.kind == "none":
        return None
    name = noun.group().casefold()
    return _join(owner, lexicon.keys("attribute").get(name) or lexicon.keys("category")[name])


def _residence_key(body: str, subject: Subject, owner: str) -> str | None:
    if _PLACE.search(body) and not _NO_LONGER.search(body):
        return _join("" if subject.kind == "we" else owner, "居住地")
    if re.search("老家在|籍贯|祖籍", body):
        return _join(owner, "家乡")
    return _join(owner, "母校") if "毕业于" in body else None


def _moved_key(body: str, subject: Subject, owner: str) -> str | None:
    if subject.kind in ("self", "none", "we") and re.search("搬(?:家)?到", body):
        return _join("" if subject.kind == "we" else owner, "居住地")
    return None


def _work_key(body: str, subject: Subject, owner: str) -> str | None:
    match = _EMPLOYED.search(body)
    if match is None or subject.kind != "self" or _NO_LONGER.search(body):
        return None
    of_place = re.search("[省市县区]$|家里?$", match["at"]) is not None or _is_place(match["at"])
    return _join(owner, "工作地" if of_place else "工作.公司")


def _trade_key(body: str, subject: Subject, owner: str) -> str | None:
    if subject.kind in ("self", "owned", "kin") and _TRADE.search(body):
        return _join(owner, "职业")
    return None


def _body_key(body: str, subject: Subject, owner: str) -> str | None:
    if "比" in body:
        return None
    if re.search("岁|今年[0-9一二三四五六七八九十]+了?$", body):
        return _join(owner, "年龄")
    for word in _MEASURES:
        if word in body:
            return _join(owner, word)
    return _join(owner, "生肖") if re.search("属[鼠牛虎兔龙蛇马羊猴鸡狗猪]", body) else None


_CALLED: Final = re.compile(
    "(?:内部)?(?P<noun>代号|名字|简称|域名|网址|端口|版本|时区|主分支|负责人|对接人"
    "|截止日期|包名|仓库)(?:号)?(?:统一|都|现在|目前)?(?:叫|是|为|用)"
)
_SPOUSE: Final = re.compile("是(?:我|咱|俺)(?:的)?(?:太太|老婆|老公|妻子|丈夫|先生|爱人|媳妇|内人)")


def _thing_key(body: str, subject: Subject, owner: str) -> str | None:
    """项目.端口; a thing's whose name stands before it is that one's: 网关.端口."""
    match = _CALLED.search(body)
    if match is None:
        return None
    of = body[: match.start()].strip("的 ")
    whole = re.sub("^(?:我们|咱们|这个?|该|本|那个)(?:的)?", "", of).strip("的 ")
    return _join(whole if 0 < len(whole) <= 10 and "," not in whole else "项目", match["noun"])


def _relation_key(body: str, subject: Subject, owner: str) -> str | None:
    return "配偶" if _SPOUSE.search(body) and not re.search("以前|前", body) else None


_FINDERS: Final[dict[str, Callable[[str, Subject, str], str | None]]] = {
    "extract.attribute": _attribute_key,
    "extract.thing": _thing_key,
    "extract.relation": _relation_key,
    "extract.responsible": _thing_key,
    "extract.residence": _residence_key,
    "extract.event": _moved_key,
    "extract.work": _work_key,
    "extract.identity": _trade_key,
    "extract.body": _body_key,
    "extract.health": _body_key,
}


def reply_key(text: str) -> str | None:
    """The key of a standing instruction about how to answer or to write; simplified text."""
    if re.search("中文|英文|英语|日语|法语|德语|简体|繁体|粤语", text):
        for word, key in (
            ("注释", "注释.语言"),
            ("commit|提交", "提交信息.语言"),
            ("文档", "文档.语言"),
            ("变量|命名", "命名.语言"),
        ):
            if re.search(word, text):
                return key
        return "回答.语言"
    if re.search(
        "(?:短|简单|简练|精炼|详细|细|长)(?:一?点|些)|长篇大论|简短|简洁|精简|详细|长话短说"
        "|不超过[^,]{1,6}[字句]|直接给|先给结论|先说结论",
        text,
    ):
        return "回答.详略"
    if re.search("表情|emoji", text):
        return "回答.表情"
    if "缩进" in text:
        return "代码.缩进"
    if re.search("(?:叫|称呼|喊)我", text):
        return "称呼"
    product = _product(text)
    return _join("偏好", product) if product and re.search("用", text) else None


# --- pieces ------------------------------------------------------------------------------------------


def _owner(subject: Subject) -> str | None:
    """ "" for the speaker, "妹妹", "项目", a name; None where it is not clear whose it is."""
    kind = subject.kind
    if kind in ("self", "none"):
        return ""
    if kind == "we":
        return "项目"
    if kind in ("owned", "kin"):
        noun = subject.noun
        if noun in words("pet"):
            return f"宠物.{_animal(noun)}"
        if noun in words("kin") or noun in words("associate"):
            return noun
        if noun in (
            "公司",
            "团队",
            "项目",
            "仓库",
            "代码库",
            "服务",
            "系统",
            "部门",
            "组",
            "产品",
            "网站",
        ):
            return "项目" if noun not in ("公司", "团队", "部门") else noun
        return ""
    if kind == "named":
        return subject.noun
    if kind == "project":
        return re.sub("^(?:我们|咱们|这个?|该|本|这边的?|整个)", "", subject.noun)
    return None


def _animal(noun: str) -> str:
    if noun in words("dog"):
        return "狗"
    return "猫" if noun in words("cat") else noun


def _name_key(subject: Subject, reading: Reading) -> str | None:
    if reading.word == "叫我":
        return "称呼"
    if subject.kind == "self":
        return "姓名"
    if subject.kind in ("owned", "kin"):
        noun = subject.noun
        if noun in words("pet"):
            return f"宠物.{_animal(noun)}.名字"
        if noun in words("kin") or noun in words("associate"):
            return f"{noun}.姓名"
        return f"{noun}.名字"
    return None


def _choice_key(clause: Clause, subject: Subject, reading: Reading, view: View) -> str | None:
    body = clause.body
    if re.search("不喜欢|讨厌|反感|受不了|厌恶|不爱|不再|不用|停用|弃用", body) and not re.search(
        "改用|换成|更喜欢|换到|转用", body
    ):
        return None
    ours = subject.kind in ("we", "project") or (
        subject.kind == "owned" and _owner(subject) not in ("", None)
    )
    if subject.kind in ("owned", "kin", "named") and not ours:
        return None
    root = "项目" if ours and reading.kind != "preference" else "偏好"
    if subject.kind == "owned" and (subject.noun in words("kin") or subject.noun in words("associate")):
        root = f"{subject.noun}.偏好"
    answer = reply_key(body) if re.search("回答|回复|注释|commit|缩进|解释|称呼", body) else None
    if answer is not None and root == "偏好":
        return answer
    favourite = _FAVOURITE.search(body)
    if favourite is not None:
        return _join(root, lexicon.keys("category")[favourite["noun"].casefold()])
    product = _product(view.simple[clause.start : clause.end])
    return _join(root, product) if product else None


def _product(text: str) -> str | None:
    """The one category that all known products of a text belong to; the nearest noun decides first."""
    members = lexicon.keys("member")
    found = []
    for match in _LATIN.finditer(text):
        name = match.group().casefold()
        key = members.get(name) or members.get(name.replace(" ", "")) or members.get(name.split(" ")[0])
        if key and key not in found:
            found.append(key)
    return found[0] if len(found) == 1 else None


def _is_place(text: str) -> bool:
    found = tagged(text)
    return bool(found) and all(tag == "ns" for _, tag in found)


def _join(*parts: str) -> str:
    return ".".join(part for part in parts if part)
