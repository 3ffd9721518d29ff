"""Certificates for tests, written briefly: evidence stands beside what it helps to show, and is put in its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

EVIDENCE = ("witnesses", "steps", "by", "refutations")
OF_CASES = ("indices", "parts")


def claimed(kind: str, *fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The certificate of a kind with these fields, among them its evidence.

    Refutations may be numbered; `folds` and `each` are a list of a theorem, and so are those of its lemmas.

    >>> claimed("premise", {"condition": True}, witnesses=[{"x": 1}])["evidence"]
    {'witnesses': [{'x': 1}]}
    >>> claimed("overlap", cases=[{"where": True, "indices": [[0, 0]]}])["evidence"]
    {'indices': [[[0, 0]]]}
    """
    claim = {"kind": kind, **{key: x for some in (*fields, more) for key, x in some.items()}}
    if kind == "theorem" and "lists" not in claim and (lists := lists_of(claim)):
        claim["lists"] = lists
    evidence = {key: x for key in EVIDENCE if key in claim and (x := claim.pop(key)) != []}
    if "by" in evidence:
        evidence["by"] = [{**one, "lemma": lemma(one["lemma"])} for one in evidence["by"]]
    for key in ("folds", "each"):
        claim.pop(key, None)
    if kind == "layout" and "parts" in claim:
        evidence["parts"] = claim.pop("parts")
    if isinstance(evidence.get("refutations"), dict):
        numbered = evidence.pop("refutations")
        evidence["refutations"] = [numbered.get(str(n)) for n in range(1 + max(map(int, numbered), default=-1))]
    if isinstance(claim.get("cases"), list) and all(isinstance(c, dict) for c in claim["cases"]):
        evidence |= {key: rows for key in OF_CASES if any(rows := [c.get(key, []) for c in claim["cases"]])}
        claim["cases"] = [{key: x for key, x in c.items() if key not in OF_CASES} for c in claim["cases"]]
        if kind == "guard":
            evidence["cases"] = claim.pop("cases")
    return {"format": "symview certificate", "version": 6, "claim": claim, "evidence": evidence}


def lemma(of: Any) -> Any:
    """A lemma as in a certificate, with the parts of its elements."""
    if "by" in of:
        return {**of, "by": [{**one, "lemma": lemma(one["lemma"])} for one in of["by"]]}
    return {**of, **folded(of)} if "folds" in of else of


def folded(of: Any) -> dict[str, Any]:
    """The list of a theorem: the parts of its elements are the names that nothing else has."""
    folds, each = of["folds"], of["each"]
    told = {*names([of["claim"], *of["assume"], *[pair[0] for pair in folds.values()]]), *folds}
    inside = dict.fromkeys(names([*each, *[pair[-1] for pair in folds.values()]]))
    return {"folds": folds, "each": each, "own": [n for n in inside if n not in told]}


def lists_of(of: Any) -> list[dict[str, Any]]:
    """The lists that a theorem or its lemmas fold; those with a common fold are one."""
    if "folds" in of:
        return [folded(of)]
    found = list[Any]()
    for more in [x for one in of.get("by", ()) for x in lists_of(one["lemma"])]:
        whole = more
        for one in [x for x in found if x["folds"].keys() & more["folds"].keys()]:
            found.remove(one)
            whole = {
                "folds": one["folds"] | whole["folds"],
                **{key: one[key] + [x for x in whole[key] if x not in one[key]] for key in ("each", "own")},
            }
        found.append(whole)
    return found


def names(tree: Any) -> Iterator[str]:
    """The names of a tree, or of several."""
    if isinstance(tree, str):
        yield tree
    for part in tree[isinstance(tree[0], str) :] if isinstance(tree, list) and tree else ():
        yield from names(part)


def claiming(document: Any, **fields: Any) -> dict[str, Any]:
    """A certificate with other fields in its claim, and without refutations, which are of another claim."""
    evidence = {key: x for key, x in document["evidence"].items() if key != "refutations"}
    return {**document, "claim": {**document["claim"], **fields}, "evidence": evidence}
