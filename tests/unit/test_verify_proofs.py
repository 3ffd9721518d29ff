"""Certificates of proofs/: some of them here, all of them by `python proofs/certificates.py`."""

from __future__ import annotations

from collections import Counter

import pytest
from certificates import checked, listed, rules, theorems

IN_TIME = "no answer in time"


@pytest.mark.dear
def test_what_is_proved_is_confirmed_or_listed(step) -> None:
    every = step(240)
    found = list(checked([*rules(every), *theorems(every)], 2.0))
    known = listed()
    assert not [f for f in found if f.verdict == "refuted"]
    assert not [f for f in found if f.verdict == "partly" and f.name not in known and IN_TIME not in f.left]
    assert Counter(f.verdict for f in found)["confirmed"] > len(found) // 2


def test_the_list_has_a_reason_for_each() -> None:
    assert all(name and why for name, why in listed().items())
