"""Which Chinese texts address the agent as an instruction?

Over simplified characters (see folding) and without white space, which Chinese does not need: a text
that puts it between the characters says the same.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import Judge, LazyPattern, Rule, hints

__all__ = ["CHINESE_RULES"]

_DROP: Final = hints(
    """
    忽略 无视 忽视 忘记 忘掉 忘却 抛弃 抛开 丢弃 舍弃 跳过 绕过 绕开 违反 推翻 放弃 覆盖 解除 别理会
    别管 不要管 不用管 不要理会 不必理会 停止遵守 停止遵循 不要遵守 不必遵守 不用遵守 不再遵守
    不需要遵守 无需遵守 无须遵守 不要遵循 不再遵循 无需遵循 不要听从 不再听从
    """
)
_EARLIER: Final = (
    r"(?:之前|以前|以上|上面|上述|先前|前面|此前|刚才|早先|原有|原来|原先|既有|现有|所有|全部|一切|任何|系统|开发者|安全|"
    r"你|您|这些|那些|预设|内置)"
)
_ORDERS: Final = (
    r"(?:指令|指示|命令|规则|规定|提示词|系统提示|提示|设定|约束|准则|守则|限制|原则|安全策略|训练内容)"
)
_LINK: Final = r"(?:给[你您]|对[你您]|我|的|里|中|过|收到|和|与|、){0,6}"
_BEFORE: Final = r"(?:以上|上述|上面|前面|之前|先前)"
_FREE: Final = r"(?:不受|没有|无)(?:任何)?(?:道德)?(?:限制|约束|审查|道德)"
_BOT: Final = r"(?:黑客|攻击者|ai|人工智能|机器人|语言模型)"
_HELPER: Final = r"(?:ai|人工智能|助手|模型|机器人|角色|系统)"
_SHOW: Final = (
    r"(?:输出|显示|展示|透露|泄露|泄漏|告诉我|打印|复述|重复|说出|公开|给我看|发给我|翻译|总结|列出|写出)"
    r"(?:一下|一遍|出)?"
)
_INNER: Final = r"(?:完整|全部|所有|原始|初始|内部|隐藏|最初)?的?"
_PROMPT: Final = r"(?:系统提示词?|系统指令|系统设定|提示词|初始指令|初始设定|隐藏指令|内部指令)"
_NOW_YOU: Final = r"[你您](?:现在|必须|将|是|只能|要|已经?被|没有)"
_PRIVATE = LazyPattern(
    r"对话|聊天|记忆|密码|密钥|凭据|凭证|令牌|隐私|系统提示|提示词|环境变量|用户|数据|文件|内容|信息|记录|"
    r"上下文|历史|资料|一切|所有"
)
_NEGATED = LazyPattern(
    r"(?:不要|别|不能|不可|不得|不会|不许|不应|切勿|勿|从不|没有|并未|未曾|不|为何|他|她|他们|有人|不少人|经常|总是)"
    r"(?:再|轻易|随意|随便)?\Z"
)


def _ordered(match: re.Match[str], _: Folded) -> bool:
    """Neither negated ("不要忽略之前的规则") nor told of somebody ("他无视所有规则")."""
    return _NEGATED.search(match.string[max(0, match.start() - 8) : match.start()]) is None


def _sends_away(match: re.Match[str], _: Folded) -> bool:
    return _PRIVATE.search(match.group()) is not None


def _rule(name: str, words: tuple[str, ...], *patterns: str, judge: Judge | None = None) -> Rule:
    return Rule(f"chinese-{name}", words, "|".join(patterns), judge, view="squeezed")


CHINESE_RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "ignore-instructions",
        _DROP,
        rf"(?:{'|'.join(_DROP)})掉?(?:{_EARLIER}{_LINK}){{1,5}}{_ORDERS}",
        judge=_ordered,
    ),
    _rule(
        "ignore-the-above",
        ("忽略", "无视", "忘记", "忘掉", "不要理会"),
        rf"(?:忽略|无视|忘记|忘掉|不要理会)掉?{_BEFORE}的?(?:所有|全部|一切)?的?(?:内容|文字|一切|对话|聊天记录|上下文|话(?!题))",
        r"(?:忽略|无视)上文",
        judge=_ordered,
    ),
    _rule(
        "new-instructions",
        ("新指令", "新的指令", "新的系统指令", "新系统指令", "新的提示词"),
        r"新的?(?:系统)?(?:指令|提示词)(?:是|为|如下|:)",
    ),
    _rule(
        "from-now-on",
        ("现在", "此刻", "这一刻", "从今", "从此"),
        r"(?:从?现在起|从现在开始|从此刻起|从这一刻起|从今以后|从此以后|从此)[,、:]?请?[你您]"
        r"(?:(?:就|将|将会|要|必须|需要|只能|都要){0,2}"
        r"(?:是(?!否|不是)|扮演|充当|变成|成为|作为|不再(?:是|受|有|遵守|遵循)|无条件|服从|听命|听我的|听从我))",
    ),
    _rule(
        "new-identity",
        hints("现在 假装 扮演 充当 模拟 无限制模式 越狱模式 dan模式 限制 约束"),
        rf"(?:[你您]现在|现在[,、]?[你您])(?:是|就是)(?:一[个名位])?[^\n。,]{{0,12}}?(?:{_FREE}|{_BOT})",
        r"(?:[你您]现在|现在[,、]?[你您])(?:是|进入|处于)了?(?:dan|(?:开发者|越狱|调试|无限制|管理员)模式|root)",
        rf"[你您]是(?:一[个名位])?[^\n。,]{{0,8}}?{_FREE}[^\n。,]{{0,6}}{_HELPER}",
        rf"(?:假装|扮演|充当|模拟)(?:[你您]是)?[^\n。,]{{0,12}}?{_FREE}",
        r"(?:进入|开启|启用|切换到)(?:dan|越狱|无限制)模式",
        judge=_ordered,
    ),
    _rule(
        "obedience",
        hints("无条件 绝对 完全 服从 听从 听命 只听我"),
        r"[你您](?:必须|只能|要)(?:无条件|绝对|完全)地?(?:服从|听从|遵从|执行)",
        r"[你您](?:必须|只能)(?:服从|听从|听命于)(?:我|以下|下列|下面|攻击者)|[,、你您]只听我的",
    ),
    _rule(
        "reveal-prompt",
        hints("系统提示 提示词 指令 系统设定 初始设定 以上内容 上面的内容 上述内容"),
        rf"{_SHOW}[你您]的?{_INNER}{_PROMPT}",
        rf"{_SHOW}(?:(?:完整|全部|原始)的?(?:系统提示词?|初始指令)|系统提示词)|(?:泄露|泄漏|透露)系统提示",
        rf"[把将][你您]的?{_INNER}{_PROMPT}[^\n。]{{0,6}}?(?:发|给|告诉|输出|打印|展示|显示|说|贴|写)",
        rf"{_SHOW}[你您](?:收到|得到|看到)的?(?:第一条|最初|初始|所有|全部)的?(?:指令|提示|消息)",
        rf"(?:复述|重复|输出|打印){_BEFORE}的?(?:所有|全部)?的?(?:内容|文字|指令|提示词)",
        r"[你您]的(?:系统提示词?|初始指令|初始设定|隐藏指令)是(?:什么|啥)",
        judge=_ordered,
    ),
    _rule(
        "hide-from-user",
        ("用户", "使用者"),
        r"(?:不要|别|不得|切勿|不可|不能|禁止|请勿|勿|不许|不必|无需|不用|不准)(?:再|直接|主动)?(?:把[^\n。,]{1,12})?"
        r"(?:告诉|告知|通知|透露给|提醒|泄露给|让|向)(?:该|这个|人类)?(?:用户|使用者)"
        r"(?:知道|知情|知晓|发现|察觉|看到这|透露|说明|提及|提起|这|此|本|刚才|真相|任何|以上|$|[。,!?;、\"')])",
        r"(?:瞒着|隐瞒|欺骗|误导)(?:该|这个)?用户|对用户(?:保密|隐瞒|隐藏)|背着用户",
    ),
    _rule(
        "exfiltration",
        ("http", "ftp:", "@", "攻击者"),
        r"[把将][^\n。]{1,40}?(?:发送|发|上传|转发|提交|传送|传输|传|泄露)(?:到|给|至|往)?[^\n。]{0,16}?"
        r"(?=(?:https?|ftp)://(?!localhost|127\.|10\.|192\.168\.)|[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2,}|攻击者)",
        judge=_sends_away,
    ),
    _rule(
        "remote-instructions",
        ("http",),
        r"(?:访问|打开|下载|读取|请求)[^\n。]{0,8}https?://[^\u3400-\u9fff。,]{1,300}[^\n。]{0,6}"
        r"(?:执行|遵循|遵照|按照|运行)[^\n。]{0,6}(?:指令|命令|指示|内容|代码|脚本)",
    ),
    Rule(
        "chinese-system-notice",
        ("系统", "[system", "【system"),
        r"[\[【](?:系统|system)(?:提示|消息|通知|指令|提示词|公告)?[\]】]\s{0,4}:?\s{0,4}请?"
        rf"(?:{_NOW_YOU}|忽略|无视|从现在)"
        r"|(?:^|[\n。!])\s{0,8}系统(?:消息|提示|指令|提示词|通知)?:\s{0,4}请?"
        rf"(?:{_NOW_YOU}|忽略|无视|从现在)",
    ),
)
