"""What plans add: the question, and its answers."""

FEATURES = {
    "symview.Conflict": "symview.plans.answers:Conflict",
    "symview.Plan": "symview.plans.answers:Plan",
    "symview.plan": "symview.plans.plan:plan",
}
