"""The table of movable Chinese holidays against the sky, and the computed ones against known dates."""

from __future__ import annotations

import math
from datetime import date, timedelta

import pytest

from memweir.retrieval.holidays import UnknownYear, holiday
from memweir.retrieval.types import Window

YEARS = range(2015, 2036)
BEIJING_HOURS = 8

# day of its lunar month, and the sun's longitude that falls into that month (its 中气)
LUNAR = {
    "spring festival": (1, 330.0),
    "dragon boat": (5, 90.0),
    "qixi": (7, 150.0),
    "mid-autumn": (15, 180.0),
    "double ninth": (9, 210.0),
}

# Between the winter solstices of 2032 and 2033 there are only twelve months, so that the month without
# a term is no leap month, and the terms lag behind their months until the spring of 2034 (Aslaksen, The
# Mathematics of the Chinese Calendar: "the 2033 problem").
WITHOUT_TERM = {("double ninth", 2033), ("spring festival", 2034)}


def julian(day: date) -> float:
    """Julian date of 00:00 in Beijing. The ordinal 1 (0001-01-01) is Julian date 1721425.5."""
    return day.toordinal() + 1_721_424.5 - BEIJING_HOURS / 24


def sun_longitude(jd: float) -> float:
    """Apparent longitude of the sun in degrees, to 0.01 (Astronomical Almanac, low precision)."""
    n = jd - 2_451_545.0
    anomaly = math.radians(357.528 + 0.9856003 * n)
    mean = 280.460 + 0.9856474 * n
    return (mean + 1.915 * math.sin(anomaly) + 0.020 * math.sin(2 * anomaly)) % 360


def days_from_new_moon(jd: float) -> float:
    """Signed distance to the nearest mean new moon (Meeus, Astronomical Algorithms, 49.1)."""
    months = (jd - 2_451_550.09766) / 29.530588861
    return (months - round(months)) * 29.530588861


def ahead(angle: float, goal: float) -> float:
    """Degrees from `angle` forward to `goal`, in (-180, 180]."""
    return (goal - angle + 180) % 360 - 180


@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize("name", LUNAR)
def test_lunar_month_of_a_holiday_begins_at_new_moon_and_holds_its_solar_term(
    name: str, year: int
) -> None:
    day_of_month, term = LUNAR[name]
    begin = holiday(name, year).first - timedelta(days=day_of_month - 1)
    # The true new moon is within 0.6 days of the mean one, and within the day that begins the month.
    assert abs(days_from_new_moon(julian(begin) + 0.5)) < 1.15
    if (name, year) in WITHOUT_TERM:
        return
    assert ahead(sun_longitude(julian(begin)), term) > -0.05  # the term has not passed when it begins
    assert ahead(sun_longitude(julian(begin + timedelta(days=30))), term) < 0.05  # and has when it ends


@pytest.mark.parametrize("year", YEARS)
def test_qingming_is_the_day_on_which_the_sun_reaches_15_degrees(year: int) -> None:
    day = holiday("qingming", year).first
    assert ahead(sun_longitude(julian(day)), 15.0) > 0
    assert ahead(sun_longitude(julian(day + timedelta(days=1))), 15.0) <= 0


@pytest.mark.parametrize("year", YEARS)
def test_new_years_eve_and_lantern_festival_hang_on_new_year(year: int) -> None:
    first = holiday("spring festival", year).first
    assert date(year, 1, 21) <= first <= date(year, 2, 20)
    assert holiday("lunar new year's eve", year).first == first - timedelta(days=1)
    assert holiday("lantern festival", year).first == first + timedelta(days=14)
    assert holiday("lunar new year 3", year).first == first + timedelta(days=2)


@pytest.mark.parametrize(
    ("name", "year", "day"),
    [
        ("easter", 2000, date(2000, 4, 23)),
        ("easter", 2008, date(2008, 3, 23)),
        ("easter", 2011, date(2011, 4, 24)),
        ("easter", 2019, date(2019, 4, 21)),
        ("easter", 2024, date(2024, 3, 31)),
        ("easter", 2025, date(2025, 4, 20)),
        ("easter", 2038, date(2038, 4, 25)),  # the latest possible
        ("good friday", 2025, date(2025, 4, 18)),
        ("thanksgiving", 2023, date(2023, 11, 23)),
        ("thanksgiving", 2024, date(2024, 11, 28)),
        ("black friday", 2024, date(2024, 11, 29)),
        ("labor day", 2025, date(2025, 9, 1)),
        ("memorial day", 2025, date(2025, 5, 26)),
        ("mother's day", 2025, date(2025, 5, 11)),
        ("father's day", 2025, date(2025, 6, 15)),
        ("mid-autumn", 2023, date(2023, 9, 29)),
        ("mid-autumn", 2020, date(2020, 10, 1)),
        ("dragon boat", 2024, date(2024, 6, 10)),
        ("spring festival", 2024, date(2024, 2, 10)),
        ("spring festival", 2033, date(2033, 1, 31)),
    ],
)
def test_holiday_begins_on_its_known_day(name: str, year: int, day: date) -> None:
    assert holiday(name, year).first == day


def test_golden_weeks_are_seven_days_and_others_one() -> None:
    assert holiday("national day", 2024) == Window(date(2024, 10, 1), date(2024, 10, 7))
    assert holiday("spring festival", 2024) == Window(date(2024, 2, 10), date(2024, 2, 16))
    assert holiday("christmas", 2024) == Window(date(2024, 12, 25), date(2024, 12, 25))


@pytest.mark.parametrize("year", [2014, 2036, 1])
def test_lunar_holiday_outside_the_table_is_unknown(year: int) -> None:
    with pytest.raises(UnknownYear):
        holiday("spring festival", year)
