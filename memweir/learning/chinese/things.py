"""What holds of a project's things: where they are, what they are made of, how many there are?"""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import BLOT, Clause
from memweir.learning.chinese.lexicon import Pattern
from memweir.learning.chinese.readings import OWNED, Reading
from memweir.learning.chinese.subjects import Subject, tagged

__all__ = ["TROUBLE", "of_group", "of_thing"]

TROUBLE: Final = re.compile(
    r"没(?:有)?(?:生效|起来|反应|响应|结果|更新|同步|通过|跑完|写完|弄完|做完|装上|加载)"
    r"|(?:正|还)?在(?:更新|下载|编译|重启|转圈|加载|处理中|升级中|排队)|报错|出错|挂[了掉]"
    r"|崩|白屏|[收看找]不到|发不出|用不了|登不上|卡[住死在]|失败|连不上"
    r"|打不开|登不[上进]|不通|异常|超时了|[红绿满]了|变慢|慢$|不对"
    r"|有问题|不见了|丢了|没反应|坏了|好像|还在|正在|刚|差点|居然|竟然|怎么|一直返回"
    r"|返回 ?[45][0-9][0-9]$|[跑搞弄]不"
    r"|又|过不去|起不来|没起|没响应|全是|timeout|null|undefined|转圈|乱码|往[上下](?:涨|掉"
    r"|飙)|飙|一半|还没|装不|满载|爆[了满]|断[了网开]|溢出|泄漏|bug了|老是|总是"
)
_EVALUATES: Final = re.compile(
    r"^(?:也|都|还|真|真的|实在|确实|其实)*(?:是)?(?:很|挺|太|真|非常|特别|好|有点|有些"
    r"|不错|还行|还可以|更|最(?!早|初|后|近|终|多|少|新))(?!多[0-9一二三四五六七八九十])"
)
# 包名是 com.lan.reader, 小程序 appid 是 wx8a21: any noun with a value of its own.
_VALUE: Final = re.compile(
    r"^[^,]{0,8}?(?:是|叫|走|用的?|放|存|进|发到|推到|写到|落到|打到|同步到|传到|存到|在"
    r"|默认|参考的?|照|对应|统一叫|统一用|行)(?:了)? ?[^,]{0,6}?[A-Za-z0-9][^,]{0,40}$"
    r"|^[^,]{0,4}参考的?[^,]{2,}$"
)
_PASSING_VALUE: Final = re.compile(
    "结果|输出|返回|期望|实际|状态|当前|这里|那里|进度|差|答案|第[一二三0-9]|意思|问题"
    "|原因|版本号?太|显示|提示|时候"
)
_GENERAL: Final = re.compile("^(?:都)?(?:会|能|可以|应该|容易|往往|是一[种类门]|是指|指的是|是用来)")
_STATES: Final = re.compile(
    r"^(?:的)?[^,]{0,10}?(?:现在|目前|全都?|都|一共|总共|默认|统一|只|就|一直|主要|已经"
    r"|这边|里面?|上|中|固定|一般|平时|暂时|内部|同时|每个?[天周月年日晚]|(?:凌晨|早上"
    r"|上午|中午|下午|晚上)?[0-9一二两三四五六七八九十]{1,3}[点:：][0-9半]{0,2})*"
    r"(?:是(?!不是|不|因为|为了|想|要|谁|什么|否)|为|在|用|放|存|跑|走(?!了)|叫|连|挂在|设"
    r"|部署|托管|监听|依赖|基于|支持|兼容|保留|限|有(?!点|些|没)|没有|没人|没用|不用"
    r"|不依赖|不支持|不是|不走|不在|不放|不带|不上|需要|分[为成]?|由|归|锁[死定在]|固定在?"
    r"|钉在|进|发到|发给|推到|推给|写到|写进|落到|打到|传到|存到|面向|针对|覆盖|主要[是做]"
    r"|包含|来自|代号|对应|指向|共用|写的|做的|搭的|前[一两三四五六]|都不|接的?|写在|装|占"
    r"|同步|按|采用|使用|启用|启动|重置|轮换|执行|刷新|过期|到期|跑|开在|姓|共享|落|打在"
    r"|配的?|只有|剩)"
    r"(?!了$)[^,]{1,40}$"
    r"|^(?:一共|总共|共|大概|约|就|目前|现在|只有?|有|限|是|:|："
    r"| )*[0-9一二两三四五六七八九十百千万几]+ ?[个台套张条人名家位天年月周次种份份库秒分"
    r"小ms毫%GMKT万][^,]{0,20}$"
    r"|^(?:一共|总共|大概|大约|约|目前|现在|差不多"
    r"|只有)+ ?[0-9一二两三四五六七八九十百千万亿]+(?:多)?[^,]{0,8}$"
    rf"|^(?:内部)?(?:代号|名字|简称|全称|别名)?[叫是:： ]*{BLOT}"
    r"|^[:： ]*[A-Z0-9][^,]{0,30}$"
)
_CONCRETE: Final = re.compile(
    rf"[A-Za-z0-9]|{BLOT}|[一二两三四五六七八九十百千万]+(?:[个台套张条人名家位天年月周次种份点秒])"
)


def of_thing(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """主库在上海机房, 测试服务器一共三台."""
    if kind in ("none", "noun") and subject.kind in ("none", "noun") and _is_value(clause):
        return Reading("fact", "extract.thing", 0.6, True, "是")
    own = kind in ("project", "noun", "owned") and not clause.asks
    if not own and not (kind == subject.kind == "named" and _is_identifier(subject.noun)):
        return None
    body, said = clause.body, subject.said
    if TROUBLE.search(body) or _EVALUATES.match(said) or _GENERAL.match(said):
        return None
    if re.search("了$", said) and not re.search("不[^,]{1,8}了$|年了$", said):
        return None
    if (
        kind in ("noun", "named", "project")
        and _VALUE.match(said)
        and not _PASSING_VALUE.search(body)
        and not said.endswith("了")
    ):
        return Reading("fact", "extract.thing", 0.6, True, "是")
    if _STATES.match(said) is None:
        return None
    if (
        kind in ("project", "noun")
        and re.search("^不是(?!我|咱)|^是[^,]*出来的$", said)
        and not _CONCRETE.search(said)
    ):
        return None
    if kind == "noun" and not (
        _CONCRETE.search(said)
        and re.search(
            r"^[^,]{0,6}(?:在|放|存|跑|走|用的|归|由|挂|部署|托管|监听|叫"
            r"|[0-9一二两三四五六七八九十]+[个台])",
            said,
        )
    ):
        return None
    if kind == "project" and re.search("一下|这样|这个|那个|那样", said):
        return None
    return Reading("fact", "extract.thing", OWNED, True, "是")


# 配置中心用的 Nacos: whatever part of speech its first word has.
_ANYTHING: Final = re.compile(
    r"^(?P<np>[^,我你您他她它这那帮请把给让先再了过着不没有]{2,12}?)(?:都|全|统一|默认"
    r"|主要|现在|目前|一般|也)*"
    r"(?:用的?是?|走的?是?|是|叫|放在?|存在?|跑在|部署在|托管在|装的是|连的是|接的是|进"
    r"|支持|面向|基于|依赖|对接) ?(?P<what>[^,]{2,40})$"
)
_MADE: Final = re.compile("(?:生成|维护|写|做|管|开发|负责|设计|提供|买|租|自建|搭)的$")
_ORDERS: Final = Pattern("<command_head>")


def _is_value(clause: Clause) -> bool:
    body = clause.body
    match = _ANYTHING.match(body)
    if match is None or clause.asks or clause.dates or body.endswith("了"):
        return False
    if TROUBLE.search(body) or _PASSING_VALUE.search(body) or _ORDERS.match(body):
        return False
    what = match["what"]
    if _EVALUATES.match(what) or _GENERAL.match(what):
        return False
    last = tagged(match["np"])[-1][1]
    if last[0] not in "nljsxe" and last not in ("vn", "eng"):
        return False
    named = any(tag in ("ns", "nt", "nr") for _, tag in tagged(what))
    return named or _MADE.search(what) is not None or re.search("[A-Za-z0-9]", what) is not None


def _is_identifier(noun: str) -> bool:
    """A name as things of one's own have, billing-v2 or staging, not one of a product that all know."""
    return noun.isascii() and (noun[:1].islower() or re.search("[-_./0-9]", noun) is not None)


_OURS: Final = re.compile(
    r"^(?:们)?(?:这边|这里|那边|组里|公司|团队|项目|线上|目前|现在|平时|一般|都|全|主要"
    r"|所有的?|的|内部|自己)*"
    r"[^,]{0,10}?(?:用的是|用的|用|走的是|走|跑的是|跑在|跑|放在|放|存在|都在|在|叫"
    r"|是(?!不是|想|要|因为|为了|先)|有|没有?|不用|不走|没用|接的是|接"
    r"|配的是|配|设的是|设|支持|不支持|靠|基于|依赖|不依赖|托管在|部署在|装的是|定的是"
    r"|规定|要求|卖|做|主打|打|叫做|属于|每[天周月年])"
    r"(?!了$|的时候)[^,]{1,40}$|^[^,]{0,10}?[0-9一二两三四五六七八九十]+个?(?:周|天|月|人"
    r"|次|年|小时)[^,了]{0,6}$"
)


_USES: Final = re.compile("(?:都|一直|现在|主要|统一|平时|一般)*用(?:的是)?[^,了一这那来]{2,10}$")


def of_group(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """我们所有资源都在 ap-southeast-1, 网关的超时我们配的是 30 秒."""
    if subject.kind != "we" or TROUBLE.search(clause.body) or clause.dates:
        return None
    said = subject.said
    if re.search("了(?:吗|么)?$|一下|这个|那个|这样|那样|试|看看", said) and not re.search(
        "年了$", said
    ):
        return None
    if re.match(
        "(?:要|想|会|能|可以|应该|该|得|先|再|来|去|一起|继续|刚|正|还|又|把|聊|说|讨论|需要"
        "|在(?:做|看|讨论|调|等|开会|聊))",
        said,
    ):
        return None
    if _OURS.match(said) is None:
        return None
    if not (_CONCRETE.search(clause.body) or re.search("没有?|不|都|每|只", said) or _USES.match(said)):
        return None
    return Reading("fact", "extract.thing", OWNED, True, "用")
