"""The tour with sliders, as a marimo app: `marimo run docs/tour_app.py`."""

import marimo

app = marimo.App(app_title="symview", width="medium")


@app.cell
def _():
    import marimo as mo

    from symview import View, conditions, draw_overflows, merge, overflows

    return View, conditions, draw_overflows, merge, mo, overflows


@app.cell
def _(mo):
    mo.md("""
    # When is a slice of a reshape a view?

    A tensor of this shape has any strides σ1, σ2, σ3. Walk through it, flattened, in steps of one size. Where a step
    carries into a slower dim, it moves by another amount, and one stride can do for all steps only where these agree.
    """)
    return


@app.cell
def _(mo):
    sizes = mo.ui.array([mo.ui.slider(1, 12, value=v, label=f"size {n}") for n, v in enumerate((10, 3, 3))])
    step = mo.ui.slider(1, 12, value=4, label="step")
    count = mo.ui.slider(1, 24, value=6, label="steps taken")
    mo.vstack([mo.hstack(list(sizes)), mo.hstack([step, count])])
    return count, sizes, step


@app.cell
def _(View, count, mo, sizes, step):
    shape = tuple(sizes.value)
    places = shape[0] * shape[1] * shape[2]
    taken = min(count.value, (places - 1) // step.value + 1)
    outer = View.parse(f"({','.join(map(str, shape))}):(σ1,σ2,σ3)")
    inner = View((taken,), (step.value,))
    mo.md(f"outer `{outer}`, inner `{inner}`" + ("" if taken == count.value else ": no more steps stay inside"))
    return inner, outer, shape


@app.cell
def _(draw_overflows, inner, mo, outer):
    picture = draw_overflows(outer, inner)
    mo.Html(picture)
    return (picture,)


@app.cell
def _(conditions, inner, mo, outer):
    answer = conditions(outer, inner)
    mo.vstack([mo.md("**They merge under this condition:**"), mo.Html(answer._repr_html_())])
    return (answer,)


@app.cell
def _(mo, shape):
    contiguous = (shape[1] * shape[2], shape[2], 1)
    strides = mo.ui.array([mo.ui.slider(-12, 100, value=v, label=f"σ{n + 1}") for n, v in enumerate(contiguous)])
    mo.vstack([mo.md("**At these strides:**"), mo.hstack(list(strides))])
    return (strides,)


@app.cell
def _(View, inner, merge, mo, overflows, shape, strides):
    memory = View(shape, tuple(strides.value))
    found = merge(memory, inner)
    mo.vstack([mo.md(f"`{found}`"), mo.Html(overflows(memory, inner)._repr_html_())])
    return found, memory


if __name__ == "__main__":
    app.run()
