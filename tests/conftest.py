"""What do all tests share? Failing asserts of the store contract explain themselves."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("memweir.testing.contract")
