"""What must every store do? The store seam as tests to inherit.

    class TestMyStore(StoreContract):
        def open_store(self, folder, indexer):
            return MyStore(folder / "memory", indexer)

pytest then runs every test of the parts below against `MyStore`. Nothing is asked that the seam does
not promise: no file, no SQL, no order of ids.
"""

from __future__ import annotations

from memweir.testing.contract.belief_times import BeliefTimesContract
from memweir.testing.contract.changes import ChangesContract
from memweir.testing.contract.contradictions import ContradictionsContract
from memweir.testing.contract.credence import CredenceContract
from memweir.testing.contract.forgetting import ForgettingContract
from memweir.testing.contract.groups import GroupsContract
from memweir.testing.contract.identity import IdentityContract
from memweir.testing.contract.incidents import IncidentsContract
from memweir.testing.contract.pending import PendingContract
from memweir.testing.contract.queries import QueriesContract
from memweir.testing.contract.recalls import RecallsContract
from memweir.testing.contract.refusals import RefusalsContract
from memweir.testing.contract.reviews import ReviewsContract
from memweir.testing.contract.statistics import StatisticsContract
from memweir.testing.contract.trail import TrailContract
from memweir.testing.contract.turns import TurnsContract
from memweir.testing.contract.upkeep import UpkeepContract
from memweir.testing.contract.vectors import VectorsContract
from memweir.testing.contract.visibility import VisibilityContract
from memweir.testing.contract.waiting import WaitingContract
from memweir.testing.contract.windows import WindowsContract
from memweir.testing.contract.wordings import WordingsContract
from memweir.testing.contract.words_of_people import WordsOfPeopleContract

__all__ = ["StoreContract"]


class StoreContract(
    IdentityContract,
    ChangesContract,
    WordingsContract,
    WordsOfPeopleContract,
    ForgettingContract,
    BeliefTimesContract,
    RefusalsContract,
    WaitingContract,
    WindowsContract,
    ReviewsContract,
    GroupsContract,
    ContradictionsContract,
    CredenceContract,
    VisibilityContract,
    IncidentsContract,
    QueriesContract,
    VectorsContract,
    PendingContract,
    StatisticsContract,
    TurnsContract,
    TrailContract,
    RecallsContract,
    UpkeepContract,
):
    """Inherit, name the class `Test…`, and implement `open_store`.

    Attributes:
        indexer: what the store is opened with; another `PlainIndexer` runs the same tests on other
            vectors.
    """
