"""The reply of commands that prove or refute."""

from __future__ import annotations

from symview.commands.replies import Code, Reply
from symview.proof.verdicts import Proved, Unknown, Verdict


def verdict_reply(verdict: Verdict) -> Reply:
    """Turns a verdict into a reply."""
    stated = not (isinstance(verdict, Proved) and verdict.unstated)
    open_ = isinstance(verdict, Unknown) or not stated
    code = Code.UNDECIDED if open_ else Code.YES if verdict else Code.NO
    return Reply(code, verdict.to_dict, lambda: [str(verdict)])
