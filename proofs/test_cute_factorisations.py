"""The statements of "CuTe Layout Algebra" (L. Mao) on permutations that are layouts: Definition 3.1 to Remark 3.16.

Each docstring says what is claimed, in our words, and how it was decided: exhaustively up to the bound named, or
refuted with the smallest example after everything smaller was searched.

An expression E = [p_1 … p_k] is a list of primes; a morphism α_E: E^α → E is a map α: {1..n} → {1..k}, here the tuple
(α(1), …, α(n)). Smaller means: fewer letters in E, then fewer values of α, then smaller primes and values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations, product
from math import factorial, prod

import admissibility as mao
import factorisation_category
import pytest
from factorisation_category import Factorisation, Morphism
from oracle.cute_brute import table

from symview import cute
from symview.cute import Layout
from symview.engine.radix import prime_factors
from symview.logic.points import by_size
from symview.rules import checked

Map = tuple[int, ...]
PRIMES = (2, 3, 5)


def expressions(letters: int, primes: Sequence[int] = PRIMES) -> Iterator[Factorisation]:
    """All expressions of that many letters."""
    return (Factorisation(p) for p in product(primes, repeat=letters))


def maps(n: int, k: int) -> Iterator[Map]:
    """All maps of {1..n} to {1..k}."""
    return product(range(1, k + 1), repeat=n)


def morphisms(letters: int, values: int, primes: Sequence[int] = PRIMES) -> Iterator[Morphism]:
    """All morphisms into expressions of up to that many letters from at most that many, smaller ones first."""
    for k in range(letters + 1):
        for n in range(values + 1):
            for target in expressions(k, primes):
                for alpha in maps(n, k):
                    yield Morphism(alpha, target)


def composed(alpha: Map, beta: Map) -> Map:
    """α ∘ β."""
    return tuple(alpha[b - 1] for b in beta)


@checked("entries up to 12")
def test_definition_3_1_expressions() -> None:
    """Objects are lists of primes, the empty one included; nothing else is accepted."""
    assert str(Factorisation(())) == "[]"
    assert Factorisation(()).number() == 1
    for p in range(-1, 13):
        if p in (2, 3, 5, 7, 11):
            assert Factorisation((p,)).number() == p
        else:
            with pytest.raises(cute.LayoutError, match="no prime"):
                Factorisation((p,))


@checked("sets of up to 3 letters")
def test_notation_3_3_letters_are_numbered_from_1() -> None:
    """The set {1, …, k}; from the empty set there is one map to each set, and to it none but that."""
    assert Morphism((), Factorisation((2, 3))).source == Factorisation(())
    assert list(maps(0, 3)) == [()]
    assert list(maps(1, 0)) == []
    with pytest.raises(cute.LayoutError, match="not one of"):
        Morphism((0,), Factorisation((2,)))


@checked("expressions of up to 2 letters from {2, 3}, maps of up to 2 values, three in a row")
def test_definition_3_4_is_a_category() -> None:
    """Composition is that of the maps, (E^α)^β = E^(α∘β); it is associative and has identities."""
    for first in morphisms(2, 2, (2, 3)):
        assert first.after(first.source.identity()) == first == first.target.identity().after(first)
        for beta in (b for n in range(3) for b in maps(n, len(first.source))):
            second = Morphism(beta, first.source)
            both = first.after(second)
            assert (both.alpha, both.source) == (composed(first.alpha, beta), second.source)
            for gamma in maps(2, len(second.source)):
                third = Morphism(gamma, second.source)
                assert first.after(second.after(third)) == both.after(third)


@checked("expressions of 3 letters from {2, 3}: φ is an automorphism exactly if it moves no letter to another prime")
def test_notation_3_5_examples() -> None:
    """Every permutation is an automorphism of [222], (13) of [232], and (12) goes from [322] to [232]."""
    for target in expressions(3, (2, 3)):
        for phi in permutations((1, 2, 3)):
            source = Morphism(phi, target).source
            assert (source == target) == all(target.primes[a - 1] == p for a, p in zip(phi, target.primes, strict=True))
    assert Morphism((3, 2, 1), Factorisation((2, 3, 2))).source == Factorisation((2, 3, 2))
    assert Morphism((2, 1, 3), Factorisation((2, 3, 2))).source == Factorisation((3, 2, 2))


def triangles(alpha: Map, beta: Map, k: int) -> list[Map]:
    """All γ with α = β ∘ γ: the morphisms [α] → [β] over k."""
    return [gamma for gamma in maps(len(alpha), len(beta)) if composed(beta, gamma) == alpha]


@checked("up to 3 letters each")
def test_remark_3_7_identity_is_final() -> None:
    """Over k, every α has exactly one triangle to the identity, namely α itself."""
    for k in range(4):
        identity = tuple(range(1, k + 1))
        for n in range(4):
            for alpha in maps(n, k):
                assert triangles(alpha, identity, k) == [alpha]


@checked("up to 3 letters", refutes=True)
def test_remark_3_7_triangles_the_other_way() -> None:
    """Refuted, in the proof: that there is exactly one γ: k → n with α∘γ = id. That is a triangle from the identity
    to α.

    Smallest example by k, then n: k = 1, n = 0 has none; k = 1, n = 2 has two. Exhaustive up to 3: there is one exactly
    if α is a bijection.
    """
    counts = {}
    for k in range(4):
        for n in range(4):
            for alpha in maps(n, k):
                found = len(triangles(tuple(range(1, k + 1)), alpha, k))
                assert (found == 1) == (sorted(alpha) == list(range(1, k + 1)))
                if found != 1:
                    counts.setdefault(found, (k, n, alpha))
    assert counts[0] == (1, 0, ())
    assert counts[2] == (1, 2, (1, 1))


@checked("E of up to 2 letters from {2, 3}, maps of up to 2 values")
def test_remark_3_7_functor_to_fact() -> None:
    """F_E sends [α] to E^α and a triangle γ: [α] → [β] to γ_(E^β): E^α → E^β; it keeps identities and compositions.

    Every morphism to E is one of its values.
    """
    for k in range(3):
        for target in expressions(k, (2, 3)):
            over = [alpha for n in range(3) for alpha in maps(n, k)]
            for alpha, beta in product(over, repeat=2):
                for gamma in triangles(alpha, beta, k):
                    image = Morphism(gamma, target.pulled_back(beta))
                    assert image.source == target.pulled_back(alpha)
                    assert Morphism(beta, target).after(image) == Morphism(alpha, target)
            for alpha in over:
                assert Morphism(alpha, target).source == target.pulled_back(alpha)


@checked("maps between expressions of up to 2 letters from {2, 3} that keep primes are exactly the morphisms")
def test_remark_3_8_fact_is_a_category_over_the_primes() -> None:
    """E ↦ (i ↦ p_i) is full and faithful, and every finite set over the primes is isomorphic to such a one."""
    objects = [e for k in range(3) for e in expressions(k, (2, 3))]
    for source, target in product(objects, repeat=2):
        over = [g for g in maps(len(source), len(target)) if composed(target.primes, g) == source.primes]
        homs = [m.alpha for m in morphisms(2, 2, (2, 3)) if (m.source, m.target) == (source, target)]
        assert sorted(over) == sorted(homs)


@checked("X of up to 3 elements, g into {2, 3, 5}")
def test_remark_3_8_every_finite_set_over_the_primes_is_isomorphic_to_an_expression() -> None:
    """For g: X → primes, an enumeration of X as x_1, …, x_k makes E = [g(x_1) … g(x_k)] with E_• ≅ g; two
    enumerations give expressions with an invertible morphism between them that is the change of numbers.
    """
    for k in range(4):
        for g in product(PRIMES, repeat=k):
            over = dict(zip("abc", g, strict=False))
            for one, other in product(permutations(over), repeat=2):
                target = Factorisation(tuple(over[x] for x in other))
                assert dict(zip(other, target.primes, strict=True)) == over
                change = Morphism(tuple(other.index(x) + 1 for x in one), target)
                assert change.is_invertible()
                assert change.source.primes == tuple(over[x] for x in one)
                assert change.after(change.inverse()) == target.identity()


@checked("E of up to 2 letters from {2, 3}, maps of up to 2 values")
def test_remark_3_8_the_functor_to_fact_forgets_the_map_to_the_expression() -> None:
    """F_E takes [α] to what (n → k → primes) is, and a triangle to the same map, now over the primes: that is E^α, and
    γ with E^α = (E^β)^γ.

    Every map of sets over the primes into E^β, followed by β, is such a triangle.
    """
    for target in (e for k in range(3) for e in expressions(k, (2, 3))):
        over = [alpha for n in range(3) for alpha in maps(n, len(target))]
        for alpha in over:
            assert target.pulled_back(alpha).primes == composed(target.primes, alpha)
        for beta in over:
            image = target.pulled_back(beta)
            for n in range(3):
                for gamma in maps(n, len(beta)):
                    assert gamma in triangles(composed(beta, gamma), beta, len(target))
                    forgotten = Morphism(gamma, image)
                    assert forgotten.source.primes == composed(image.primes, gamma)
                    assert forgotten.source == target.pulled_back(composed(beta, gamma))


def by_definition(morphism: Morphism) -> list[tuple[int, int]]:
    """L_(E,α), word by word."""
    primes = morphism.target.primes
    return [(primes[a - 1], prod(primes[j] for j in range(a - 1))) for a in morphism.alpha]


@checked("up to 3 letters and 3 values from {2, 3}; and the examples")
def test_definition_3_9_layouts_of_morphisms() -> None:
    """Sizes p_α(i), strides Π_{j<α(i)} p_j."""
    for morphism in morphisms(3, 3, (2, 3)):
        assert morphism.layout().flat() == by_definition(morphism)
    assert str(Morphism((2, 1), Factorisation((2, 3))).layout()) == "(3,2):(2,1)"
    assert str(Morphism((2, 1, 2), Factorisation((2, 3))).layout()) == "(3,2,3):(2,1,2)"
    assert str(Morphism((2, 3, 1), Factorisation((2, 2, 2))).layout()) == "(2,2,2):(2,4,1)"


@checked("up to 3 letters and 3 values from {2, 3, 5}")
def test_definition_3_9_layout_functions_that_are_not_injective() -> None:
    """f_(E,α) is injective exactly if α is: (3,2,3):(2,1,2) has the value 2 at 1 and at 6."""
    assert table([(3, 2), (2, 1), (3, 2)]) == [0, 2, 4, 1, 3, 5, 2, 4, 6, 3, 5, 7, 4, 6, 8, 5, 7, 9]
    assert not cute.is_injective(Layout((3, 2, 3), (2, 1, 2)))
    for morphism in morphisms(3, 3):
        values = table(by_definition(morphism) or [(1, 0)])
        assert morphism.is_injective() == (len(set(values)) == len(values))
        assert morphism.is_injective() == bool(cute.is_injective(morphism.layout()))


@checked("the smallest example", refutes=True)
def test_definition_3_9_not_every_stride_tuple() -> None:
    """Refuted: that strides of any kind can be had so. A letter fixes size and stride together.

    Smallest example by the sum of the entries, sizes from 2 on and strides from 1: 2:1 and every 2:d can be had, of
    two modes (2,3):(1,1) cannot, since the letter with nothing before it is 2 or 3, not both.
    """

    def available(modes: Sequence[tuple[int, int]]) -> bool:
        return any(
            all((p, d) in [(target.primes[a], prod(target.primes[:a])) for a in range(len(target))] for p, d in modes)
            for k in range(4)
            for target in expressions(k)
        )

    assert all(available([(p, d)]) for p in PRIMES for d in (1, 2, 3, 4, 6, 9))
    assert available([(2, 1), (2, 1)])
    assert not available([(2, 1), (3, 1)])


@checked("up to 3 letters from {2, 3, 5}")
def test_remark_3_11_values_lie_in_n_for_injective_maps() -> None:
    """For injective α, f_(E,α) takes [0, N^α) into [0, N) and sends the unit of digit i to the unit of digit α(i).

    For a bijection it is an automorphism of [0, N).
    """
    for morphism in morphisms(3, 3):
        if not morphism.is_injective():
            continue
        values = table(by_definition(morphism) or [(1, 0)])
        number = morphism.target.number()
        assert len(set(values)) == len(values)
        assert max(values) < number
        assert morphism.realised() == values
        primes = morphism.target.primes
        assert [d for _, d in by_definition(morphism)] == [prod(primes[: a - 1]) for a in morphism.alpha]
        if morphism.is_invertible():
            assert sorted(values) == list(range(number))


@checked("up to 2 letters, 3 values", refutes=True)
def test_remark_3_11_values_leave_n_where_a_letter_is_used_twice() -> None:
    """Refuted: that f_(E,α) takes [0, N^α) into [0, N) for every α.

    Smallest example: E = [2], α = (1, 1), with the layout (2,2):(1,1) and the value 2 outside [0, 2). The document's
    own
    example, E = [2 3] with (2, 1, 2), has the value 9 outside [0, 6). Exhaustive up to 2 letters, 3 values: only maps
    that use a letter twice do.
    """
    leaving = [m for m in morphisms(2, 3) if max(table(by_definition(m) or [(1, 0)])) >= m.target.number()]
    assert (leaving[0].target.primes, leaving[0].alpha) == ((2,), (1, 1))
    assert max(table([(3, 2), (2, 1), (3, 2)])) == 9
    assert not any(m.is_injective() for m in leaving)
    for morphism in leaving:
        with pytest.raises(cute.LayoutError, match="outside"):
            morphism.realised()


@checked("up to 3 letters from {2, 3, 5}, injective α")
def test_remark_3_11_the_bound_of_the_proof() -> None:
    """The proof ends at max(f) <= N, where < N is needed; it holds for injective α, and the step from p − 1 to p is
    strict.

    Refuted, in the proof: that the modes may be ordered by their primes. They have to be ordered by letter: by primes,
    p_α(1)·Π_{j<α(1)} p_j is above Π_{j<α(2)} p_j for E = [3 2], α = (2, 1), where 2·3 > 1. And ordered by letter it is
    equal to that only if α(2) = α(1) + 1: not for E = [2 2 2], α = (1, 3), where 2·1 < 4.
    Smallest examples; exhaustive up to 3 letters from {2, 3, 5}, injective α.
    """

    def parts(morphism: Morphism) -> list[tuple[int, int]]:
        """p_α(i)·Π_{j<α(i)} p_j, and Π_{j<α(i+1)} p_j, for each i but the last."""
        found = by_definition(morphism)
        return [(p * d, e) for (p, d), (_, e) in pairwise(found)]

    def by_prime(morphism: Morphism) -> bool:
        return list(morphism.source.primes) == sorted(morphism.source.primes)

    injective = [m for m in morphisms(3, 3) if m.is_injective()]
    above = [m for m in injective if by_prime(m) and len(set(m.target.primes)) == len(m.target)]
    above = [m for m in above if any(a > b for a, b in parts(m))]
    assert (above[0].target.primes, above[0].alpha) == ((3, 2), (2, 1))
    in_order = [m for m in injective if list(m.alpha) == sorted(m.alpha)]
    assert all(a <= b for m in in_order for a, b in parts(m))
    unequal = [m for m in in_order if any(a != b for a, b in parts(m))]
    assert (unequal[0].target.primes, unequal[0].alpha) == ((2, 2, 2), (1, 3))
    for morphism in in_order:
        values = by_definition(morphism)
        assert sum((p - 1) * d for p, d in values) < prod(max(values, key=lambda m: m[1], default=(1, 1)))


def extended(morphism: Morphism) -> Callable[[int], int]:
    """f̂_(E,α)."""
    return morphism.layout() if morphism.alpha else Layout(1, 0)


@checked("E of up to 3 letters from {2, 3}, maps up to 3")
def test_lemma_3_12_composition_of_layout_functions() -> None:
    """For injective β, f_(E,α∘β) = f_(E,α) ∘ f_(E^α,β)."""
    count = 0
    for alpha in morphisms(3, 3, (2, 3)):
        for beta in (b for n in range(len(alpha.alpha) + 1) for b in permutations(range(1, len(alpha.alpha) + 1), n)):
            inner = Morphism(beta, alpha.source)
            f, g, both = extended(alpha), extended(inner), extended(alpha.after(inner))
            assert all(both(x) == f(g(x)) for x in range(inner.source.number()))
            count += 1
    assert count > 3000


@checked("the smallest example", refutes=True)
def test_lemma_3_12_fails_where_a_letter_is_used_twice() -> None:
    """Refuted for β that is not injective: the inner values leave the domain of the outer function, or carry.

    Smallest example: E = [2], α = (1, 1), β = (1, 1): f_(E^α,β)(3) = 2 goes to 1, and f_(E,α∘β)(3) = 2.
    Counted with the extension of f_(E,α), where there is no domain to leave.
    """
    found = next(
        (alpha, beta)
        for alpha in morphisms(2, 2)
        for n in range(3)
        for beta in maps(n, len(alpha.source))
        if any(
            extended(alpha.after(Morphism(beta, alpha.source)))(x)
            != extended(alpha)(extended(Morphism(beta, alpha.source))(x))
            for x in range(alpha.source.pulled_back(beta).number())
        )
    )
    assert (found[0].target.primes, found[0].alpha, found[1]) == ((2,), (1, 1), (1, 1))


@checked("E of up to 3 letters from {2, 3}, all maps of up to 3 values")
def test_lemma_3_12_modes_are_admissible() -> None:
    """Each mode of L_(E^α,β) is admissible for the shape of L_(E,α), also in CUTLASS's sense."""
    for alpha in morphisms(3, 3, (2, 3)):
        for beta in (b for n in range(3) for b in maps(n, len(alpha.source)) if alpha.alpha):
            for n, r in Morphism(beta, alpha.source).layout().flat():
                assert mao.admissible_mode(alpha.source.primes, Layout(n, r), cutlass=True)


@checked("E of up to 3 letters from {2, 3}, injective α and β")
def test_lemma_3_12_intervals_of_definition() -> None:
    """For injective β the intervals are disjoint, so the pair is admissible.

    Refuted, in the proof: that J_i = I_i for all i. For the last letter, β(i) = n, the interval is cut to nothing,
    since its stride is M'; smallest example n = 1: E = [2], α = β = (1), where I = [1,1] and J is empty.
    """
    for alpha in morphisms(3, 3, (2, 3)):
        for beta in permutations(range(1, len(alpha.alpha) + 1)):
            inner = Morphism(beta, alpha.source).layout()
            assert not alpha.alpha or mao.admissible_for_composition(alpha.source.primes, inner)
    assert len(mao.interval_of_definition((2,), Layout(2, 1))) == 0


@checked("E of up to 3 letters from {2, 3}, β of up to 3 values")
def test_lemma_3_12_intervals_meet_where_a_letter_is_used_twice() -> None:
    """For β that is not injective the intervals may meet: they do exactly if a letter other than the last is used
    twice, since the last letter's interval is empty.

    Smallest example: E = [2 2], α the identity and β = (1, 1), with [1,1] twice; for E = [2], β = (1, 1) they do not
    meet, and yet Lemma 3.12 fails.
    """
    meeting = []
    for target in (e for k in range(1, 4) for e in expressions(k, (2, 3))):
        for beta in (b for n in range(1, 4) for b in maps(n, len(target))):
            inner = Morphism(beta, target).layout()
            twice = any(beta.count(letter) > 1 for letter in range(1, len(target)))
            assert bool(mao.admissible_for_composition(target.primes, inner)) != twice
            if twice:
                meeting.append((target.primes, beta))
    assert meeting[0] == ((2, 2), (1, 1))


@checked("up to 3 primes from {2, 3, 5}", refutes=True)
def test_lemma_3_12_does_not_prove_theorem_2_18_for_all_strides() -> None:
    """Refuted: that the lemma proves Theorem 2.18 for arbitrary strides of the second layout.

    L_(E^α,β) has only strides Π_{j<i} p_α(j), below N^α, which an admissible mode need not have: smallest example by
    the sum of the entries, S = (2) and B = 2:2, with sizes from 2 on and S of primes. And where S is not of primes
    Theorem 2.18 is false for B with sizes that are: (6,2):(1,1) ∘ (2,2,2):(1,2,3). For S of primes and strides below
    M', admissible strides are those of the lemma; exhaustive: up to 3 primes from {2, 3, 5}.
    """
    beyond = (
        (p, n, r)
        for p, n, r in by_size([(2, 5), (2, 5), (1, 5)])
        if p in PRIMES and mao.admissible_mode((p,), Layout(n, r)) and r != 1
    )
    assert next(beyond) == (2, 2, 2)
    assert not cute.try_composition(Layout((6, 2), (1, 1)), Layout((2, 2, 2), (1, 2, 3)))
    for target in (e for k in range(1, 4) for e in expressions(k)):
        places = [prod(target.primes[:k]) for k in range(len(target))]
        for n, r in product(PRIMES, range(1, places[-1])):
            assert not mao.admissible_mode(target.primes, Layout(n, r)) or r in places


@checked("as Lemma 3.12")
def test_definition_3_14_realisation_is_a_functor_on_injective_maps() -> None:
    """R keeps identities and compositions of injective maps."""
    for alpha in morphisms(3, 3, (2, 3)):
        if not alpha.is_injective():
            continue
        assert alpha.target.identity().realised() == list(range(alpha.target.number()))
        for beta in permutations(range(1, len(alpha.alpha) + 1)):
            inner = Morphism(beta, alpha.source)
            outer_values = alpha.realised()
            assert alpha.after(inner).realised() == [outer_values[x] for x in inner.realised()]


@checked("the smallest example", refutes=True)
def test_definition_3_14_realisation_is_none_on_all_of_fact() -> None:
    """Refuted: that R is a functor on all of Fact. R(α_E) need not be a map into [0, N): E = [2], α = (1, 1) again."""
    with pytest.raises(cute.LayoutError, match=r"the value 2 is outside \[0, 2\)"):
        factorisation_category.realised(Morphism((1, 1), Factorisation((2,))))


@checked("E of up to 4 letters from {2, 3, 5}, sizes 2 to 4 and 6, strides up to 6")
def test_definition_3_14_realisation_misses_layout_functions() -> None:
    """R does not have every layout function as a value. Smallest injective one by size, then by the sum of the strides,
    from 1 on: the function 0, 1, 3, 4 of (2,2):(1,3).

    With modes of prime size, which is no restriction, an injective layout function is a value of R exactly if its modes
    are letters of one expression: sorted by stride, p·d of each divides the next stride.
    """
    letters = [
        [(p, prod(target.primes[:a])) for a, p in enumerate(target.primes)]
        for k in range(5)
        for target in expressions(k)
    ]
    missed = []
    for shape in [(2,), (3,), (2, 2), (2, 3), (3, 2)]:
        for strides in product(range(1, 7), repeat=len(shape)):
            modes = list(zip(shape, strides, strict=True))
            chain = sorted(modes, key=lambda m: m[1])
            found = len(set(modes)) == len(modes) and any(set(modes) <= set(e) for e in letters)
            assert found == all(e % (p * d) == 0 for (p, d), (_, e) in pairwise(chain))
            if not found and len(set(table(modes))) == prod(shape):
                missed.append((prod(shape), sum(strides), strides, shape))
    assert min(missed) == (4, 4, (1, 3), (2, 2))
    assert table([(2, 1), (2, 3)]) == [0, 1, 3, 4]


def all_layouts(n: int) -> Iterator[list[tuple[int, int]]]:
    """All layouts of size n with modes from 2 on and strides up to n."""
    from oracle.cute_brute import factorisations

    for shape in factorisations(n):
        for strides in product(range(1, n + 1), repeat=len(shape)):
            yield list(zip(shape, strides, strict=True)) or [(1, 0)]


@pytest.mark.parametrize("n", [*range(1, 11), 12])
@checked("all layouts of size N up to 10, and 12, with strides up to N")
def test_proposition_3_15_every_layout_permutation_is_realised(n: int) -> None:
    """Each automorphism of [0, N) that is a layout function is R of an invertible morphism; `morphism_of` finds it."""
    for modes in all_layouts(n):
        values = table(modes)
        if sorted(values) != list(range(n)):
            continue
        morphism = factorisation_category.morphism_of(values)
        assert morphism.is_invertible()
        assert morphism.realised() == values


def permutations_of(n: int) -> set[Map]:
    """Σ_N^L: the permutations of [0, N) that are layout functions, by trying all layouts."""
    return {tuple(v) for v in map(table, all_layouts(n)) if sorted(v) == list(range(n))}


@pytest.mark.parametrize("n", [*range(1, 11), 12])
@checked("N up to 10, and 12")
def test_remark_3_16_closed_under_inverses(n: int) -> None:
    """Σ_N^L is the image of the invertible morphisms between expressions of N, and closed under inverses.

    It is closed under composition exactly if N is a power of a prime, 1 included: the smallest N where it is not is 6.
    """
    found = permutations_of(n)
    assert found == {tuple(table(f.flat())) for f in factorisation_category.layout_permutations(n)}
    for one in found:
        assert tuple(sorted(range(n), key=one.__getitem__)) in found
    closed = all(tuple(one[x] for x in other) in found for one, other in product(found, repeat=2))
    assert closed == (len(set(prime_factors(n))) <= 1)


@pytest.mark.parametrize(("p", "k"), [(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (5, 2)])
@checked("the eight p and k named")
def test_remark_3_16_prime_powers(p: int, k: int) -> None:
    """For N = p^k, Σ_N^L is a group isomorphic to Σ_k: φ ↦ R(φ) is one to one and turns composition into composition.

    Exhaustive for the p and k named.
    """
    target = Factorisation((p,) * k)
    images = {phi: tuple(Morphism(phi, target).realised()) for phi in permutations(range(1, k + 1))}
    assert len(set(images.values())) == factorial(k)
    assert set(images.values()) == {tuple(table(f.flat())) for f in factorisation_category.layout_permutations(p**k)}
    for one, other in product(images, repeat=2):
        assert images[composed(one, other)] == tuple(images[one][x] for x in images[other])
