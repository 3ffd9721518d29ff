"""Random operations of the CuTe DSL: what the checks say is what plain integers say."""

from clients.dsl_sweep import Sweep


def test_the_checks_agree_with_plain_integers(effort):
    sweep = Sweep(seed=20)
    sweep.run(700 * effort)
    assert sweep.contradictions == []
    outcomes = {outcome for _, outcome in sweep.counts}
    assert {"right", "wrong", "refused"} <= outcomes
    assert "not looked at" not in outcomes
