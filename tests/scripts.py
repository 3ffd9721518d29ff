"""What Z3 and cvc5 answer to the questions of an SMT-LIB script, within so much work: no answer depends on a clock."""

from __future__ import annotations

import cvc5
import z3


def questions(script: str) -> list[str]:
    """Each question by itself: Z3's Python reader keeps no push and pop."""
    return [block.partition("(check-sat)")[0] for block in script.split("(push 1)")[1:]]


def z3_answers(script: str, work: int = 5_000_000, seeds: int = 4) -> list[str]:
    """To each question the first answer that is not unknown: products of names are a matter of luck to Z3."""
    context = z3.Context()
    return [_z3_answer(question, context, work, seeds) for question in questions(script)]


def _z3_answer(question: str, context: z3.Context, work: int, seeds: int) -> str:
    for seed in range(seeds):
        solver = z3.SimpleSolver(ctx=context)  # the default solver tries more, for so many seconds
        solver.set(rlimit=work, random_seed=seed)
        solver.from_string(question)
        if (said := str(solver.check())) != "unknown":
            return said
    return "unknown"


def cvc5_answers(script: str, work: int = 1_000_000, coverings: bool = False) -> list[str]:
    """The whole script, command by command; `coverings` settle more products of names, but heed no limit."""
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setOption("incremental", "true")
    solver.setOption("rlimit-per", str(work))
    solver.setOption("nl-cov", str(coverings).lower())
    parser = cvc5.InputParser(solver, cvc5.SymbolManager(terms))
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    found = []
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, parser.getSymbolManager())).strip()
        assert "error" not in said
        found += [said] if said else []
    return found
