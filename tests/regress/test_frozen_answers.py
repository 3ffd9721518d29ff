"""A sample of the frozen answers is answered as it was; `python -m frozen.compare` asks all of them."""

import pytest
from frozen.compare import FOLDER, again, found
from frozen.record import read

RECORDS = read(str(FOLDER / "answers.json.gz"))


@pytest.mark.parametrize("kind", sorted(RECORDS))
def test_a_sample_is_answered_as_it_was(kind):
    sample = RECORDS[kind][7::60]
    assert sample
    assert found(kind, [again(record) for record in sample]) == []


def test_a_changed_answer_is_seen():
    record = next(r for r in RECORDS["open strides"] if any(said == "no" for _, said in r["points"]))
    changed = {**record, "points": [[p, "yes" if said == "no" else said] for p, said in record["points"]]}
    assert {change.kind for change in found("open strides", [again(changed)])} == {"open strides, wrong"}
    open_before = {**record, "points": [[p, "open"] for p, _ in record["points"]]}
    assert {change.kind for change in found("open strides", [again(open_before)])} == {"open strides, gained"}
