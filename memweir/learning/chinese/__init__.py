"""What does a Chinese sentence state that is worth keeping? Rules over clauses; no model."""

from memweir.learning.chinese.reading import read_chinese

__all__ = ["read_chinese"]
