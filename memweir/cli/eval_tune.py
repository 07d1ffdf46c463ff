"""`memweir eval tune DIR…`: is there a better configuration, and does it hold on other questions?"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import InputError

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.evaluation.tuning import Split

__all__ = ["run"]

_TRIALS: Final = 30
_HELD_OUT: Final = 0.5
_OBJECTIVE: Final = "mrr@10"
_BEST: Final = "tuned"


def run(args: argparse.Namespace) -> int:
    """Search, then report on the held-out part; 0 whether or not something better was found.

    Raises:
        MemweirError: a set, configuration or parameter is wrong.
    """
    from memweir.cli.eval_common import configurations, cores, progress_bar, show
    from memweir.evaluation.batch import Task, run_tasks
    from memweir.evaluation.controls import FIXED
    from memweir.evaluation.datasets import find_sets
    from memweir.evaluation.figures import Figures, mean_of
    from memweir.evaluation.metrics import METRICS
    from memweir.evaluation.report import summary
    from memweir.evaluation.tuning import parameters, search, split, to_toml

    objective = args.objective or _OBJECTIVE
    if objective not in METRICS:
        raise InputError(f"--objective {objective!r}: must be one of {', '.join(METRICS)}")
    configs = configurations(args.config)
    if len(configs) > 1:
        raise InputError("eval tune takes one --config, the base of the search")
    [(base_name, base)] = configs.items()
    searched = parameters(args.param, base)
    trials, seed = args.trials or _TRIALS, args.seed or 0
    sets = find_sets(args.dir)
    splits: dict[str, Split] = {}
    for dataset in sets:
        questions = list(dataset.questions())[: args.limit]
        splits[dataset.name] = split(
            questions, held_out=_HELD_OUT if args.held_out is None else args.held_out, seed=seed
        )
    jobs = args.jobs or min(cores(), len(sets))
    learning = [each for each in sets if splits[each.name].chosen_by]
    if not learning:
        raise InputError("eval tune needs more than one question")

    with progress_bar((trials + 1) * len(learning) + 2 * len(sets)) as progress_of:

        def evaluate(several: Sequence[Config]) -> list[float]:
            tasks = [
                Task(each, base_name, config, only=splits[each.name].chosen_by)
                for config in several
                for each in learning
            ]
            runs = run_tasks(tasks, jobs=jobs, progress_of=progress_of)
            values = [mean_of(Figures.of(each, paths=False).ranking[objective]) for each in runs]
            return [
                _mean(values[place * len(learning) : (place + 1) * len(learning)])
                for place in range(len(several))
            ]

        done = search(evaluate, searched, base, trials=trials, seed=seed)
        best = max(done, key=lambda each: each.objective)  # the first of equals: the base if it is one
        tasks = [
            Task(each, name, config, only=splits[each.name].held_out, controls=FIXED)
            for each in sets
            for name, config in {base_name: base, _BEST: best.config}.items()
        ]
        report = summary(list(run_tasks(tasks, jobs=jobs, progress_of=progress_of)), jobs=jobs)
    [overall] = report["comparisons_overall"]
    compared = overall["metrics"].get(objective)
    report["tuned"] = {
        "objective": objective,
        "seed": seed,
        "parameters": [{"key": each.key, "low": each.low, "high": each.high} for each in searched],
        "split": {
            name: {"chosen_by": len(each.chosen_by), "held_out": len(each.held_out)}
            for name, each in splits.items()
        },
        "trials": [
            {"overrides": dict(each.overrides), "objective": round(each.objective, 6)} for each in done
        ],
        "toml": _file(to_toml(best.config), changed=best.config != base, base=base_name),
        "held_out": compared,
        "improved": _improved(compared),
    }
    verdict = _verdict(report["tuned"])
    report["notes"].append({"set": "all sets", "config": _BEST, "note": verdict})
    if not args.json:
        # What is printed down to the tables is a settings file as it stands.
        print(f"# {verdict}\n{report['tuned']['toml']}")
    show(report, args)
    return 0


def _mean(values: Sequence[float | None]) -> float:
    known = [each for each in values if each is not None]
    if not known:
        raise InputError("none of the questions to choose by can be answered")
    return sum(known) / len(known)


def _file(settings: str, *, changed: bool, base: str) -> str:
    """The best configuration as a settings file that says so where it is the base itself."""
    if changed:
        return settings
    return f"# no change: nothing tried is better than {base} on the part it was chosen by\n{settings}"


def _improved(compared: Mapping[str, Any] | None) -> bool:
    """Only where the whole interval of the held-out difference is above 0."""
    return compared is not None and compared["interval"] is not None and compared["interval"][0] > 0


def _verdict(tuned: Mapping[str, Any]) -> str:
    compared = tuned["held_out"]
    first, best = tuned["trials"][0]["objective"], max(each["objective"] for each in tuned["trials"])
    if compared is None:
        return "no held-out question can be answered: nothing can be said"
    low, high = compared["interval"]
    figures = (
        f"{tuned['objective']} {compared['baseline']:.4f} → {compared['config']:.4f} on the held-out "
        f"part (difference {compared['difference']:+.4f}, 95 % {low:+.4f} to {high:+.4f}, "
        f"p {compared['p']:.4f}); {first:.4f} → {best:.4f} on the part it was chosen by"
    )
    if tuned["improved"]:
        return f"better on questions it was not chosen by: {figures}"
    return f"no improvement can be claimed, keep the base: {figures}"
