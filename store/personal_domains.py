"""Is the last label of a dotted name a top-level domain of the Internet?

"ada@corp.io" is an address, "icon@large.png" and "q@k.transpose" are not; what tells them apart is
the last label. The two-letter codes are complete. Of the longer ones those are listed under which
people and firms have mail, without the brands and without the words that code and file names end in
(data, java, map, zip): a domain that is not here still counts beside a word for mail.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["domain_end"]


def domain_end(labels: str, *, any_ending: bool) -> int:
    """How many characters of a dotted name are a domain; 0 where it is none.

    Args:
        labels: at least two labels with dots between them. What follows a domain without a blank, a
            next sentence or Chinese words, may hang on it.
        any_ending: whether a last label counts too that is not known as a top-level domain.
    """
    parts = labels.split(".")
    for unknown in (False, True) if any_ending else (False,):
        end = len(labels)
        for count in range(len(parts), 1, -1):
            last = parts[count - 1]
            end -= len(last)
            if (length := _ending(last, unknown=unknown)) and all(parts[: count - 1]):
                return end + length
            end -= 1
    return 0


def _ending(label: str, *, unknown: bool) -> int:
    """How many characters of a label are a top-level domain."""
    plain = _PLAIN.match(label)
    if plain is not None:
        if _GOES_ON.match(label, plain.end()) is not None:
            return 0
        word = plain.group().lower()
        if word in _KNOWN or word.startswith("xn--"):
            return len(word)
        return len(word) if unknown and word.isalpha() and word not in _FILES else 0
    if (han := _HAN.match(label)) is not None:
        return max((len(each) for each in _HAN_ENDINGS if han.group().startswith(each)), default=0)
    return len(label) if len(label) >= 2 and label.isalpha() else 0


_PLAIN: Final = re.compile(r"xn--[A-Za-z0-9-]{1,59}|[A-Za-z]{2,24}")
_GOES_ON: Final = re.compile(r"[A-Za-z0-9]")  # "org2"; a dash is the sentence's
_HAN: Final = re.compile(r"[\u2e80-\uffff]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COUNTRIES: Final = _words(
    """
    ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt
    bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg
    er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn
    hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li
    lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne
    nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb
    sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr
    tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw
    """
)

_GENERIC: Final = _words(
    """
    academy accountants aero agency apartments app archi army arpa art asia associates attorney
    auction band bank bar berlin best bike bio biz black blog blue boutique build builders business
    buzz cafe camp capital care careers cat catering center chat church city clinic cloud club codes
    coffee college com community company computer consulting contractors cool coop country courses
    credit dance dental design dev digital direct directory doctor earth eco edu education email
    energy engineer engineering enterprises equipment estate events exchange expert express faith
    family fans farm fashion finance financial fish fit fitness fm foundation fun fund gallery games
    garden global gmbh gold golf gov graphics green group guide guru hamburg haus health help
    holdings hospital host hosting house icu immo inc industries info ink institute insurance int
    international investments jobs kim kitchen koeln land law lawyer legal life lighting limited
    live llc loan lol london love ltd ltda maison management market marketing mba media melbourne
    memorial men mil mobi moda moe mom money mortgage moscow museum music name net network news ngo
    ninja nyc one ong online org organic ovh page paris partners parts party pet pharmacy photo
    photography photos physio pics pink plus porn post press pro productions properties pub quebec
    radio realestate realty red ren rentals repair report rest restaurant review reviews rip rocks
    run sale salon sarl school science scot services sexy shop show singles site ski social software
    solar solutions space sport srl store stream studio study style support surf surgery swiss
    sydney systems taipei tax taxi team tech technology tel theater today tokyo tools top tours town
    toys trade trading training travel tube university vacations ventures versicherung vet video
    villas vip vision vote wales wang watch website wedding wien wiki win wine work works world wtf
    xin xxx xyz yoga yokohama zone zuerich
    """
)

_LOCAL: Final = _words("corp example home internal invalid lan local localdomain onion test")

_FILES: Final = _words(
    """
    apk asm asp aspx atlas avif bak bash bat bin bmp cfg class cmd conf config cpp crt css csv cue
    dat data db deb dll dmg doc docx dylib egg env eps exe flac gif git go gradle gz heic htm html
    ico img ini ipynb iso jar java jpeg jpg js json jsx key kt lock log lua map markdown mjs mkv
    mount mov mp ogg otf parquet path pdf pem php png ppt pptx proto psd pub pyc pyi rar raw rb rpm
    rst scss service slice socket sql sqlite svg swift swp tar target tex tgz tiff timer toml ts tsx
    ttf txt vue war wasm wav webm webp whl woff xls xlsx xml yaml yml zip zst
    """
)

# As folded: some characters have been brought to simplified. None begins another.
_HAN_ENDINGS: Final = _words(
    """
    组织机构 中文网 我爱你 新加坡 中国 中國 公司 网络 網络 网址 网店 网站 商城 商店 商标
    在线 集团 政务 政府 公益 机构 移动 信息 手机 香港 台湾 台灣 澳门 澳門 娱乐 健康 游戏
    企业 招聘 餐厅 食品 时尚 购物 慈善 广东 佛山 世界 测试 測試 測试 みんな コム テスト
    한국 닷컴 닷넷 테스트
    """
)

_KNOWN: Final = _COUNTRIES | _GENERIC | _LOCAL
