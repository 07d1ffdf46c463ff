"""What does nobody's memory answer? Questions that a store should leave without a word.

One fixed list for every set, in both languages: practical how-to questions of cooking, plumbing,
sewing, gardening, astronomy, sailing and the like, each narrow enough that an ordinary conversation,
fact list or article hardly ever answers it. The list is the same on every run, so that the figures of
two runs and of two sets can be compared.
"""

from __future__ import annotations

from typing import Final

__all__ = ["OFF_TOPIC"]

OFF_TOPIC: Final = (
    "How long should I proof sourdough in a cold kitchen?",
    "What is the ratio of gelatin to cream in a panna cotta?",
    "How do I stop a compression fitting under the sink from dripping?",
    "Which washer size fits a half-inch tap cartridge?",
    "How do I collimate the mirror of a Newtonian telescope?",
    "Why does Venus show phases but Jupiter does not?",
    "How deep do I plant tulip bulbs in clay soil?",
    "What grit do I use before varnishing an oak table?",
    "How do I bleed the brakes of a mountain bike?",
    "Which knot ties a dinghy to a ring so that it never jams?",
    "How many stitches do I cast on for a child's mitten?",
    "How do I get candle wax out of a wool carpet?",
    "酸种面包在冷厨房里要发酵多久？",
    "蒸鲈鱼一斤重的话上汽后蒸几分钟？",
    "马桶水箱的浮球阀一直漏水怎么修？",
    "厨房下水管的存水弯怎么拆洗？",
    "牛顿式望远镜的主镜怎么校准光轴？",
    "为什么金星有盈亏而木星看不出来？",
    "郁金香种球在黏土里要埋多深？",
    "给实木桌子刷清漆之前用几号砂纸？",
    "山地车的油压碟刹怎么排空气？",
    "织小孩手套起针要起多少针？",
    "羊毛地毯上的蜡油怎么去掉？",
    "腌糖蒜的糖醋比例是多少？",
)
