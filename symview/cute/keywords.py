"""Arguments under the names that the CuTe DSL has for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

Call = TypeVar("Call", bound=Callable[..., Any])


def also_named(**names: str) -> Callable[[Call], Call]:
    """A function whose arguments may be given under further names: `also_named(tiler="layoutB")`."""

    def decorate(function: Call) -> Call:
        @wraps(function)
        def called(*args: Any, **given: Any) -> Any:
            if not given:
                return function(*args)
            for name in names.keys() & given.keys():
                if names[name] in given:
                    raise TypeError(f"{function.__name__}: {name} and {names[name]} are the same argument")
                given[names[name]] = given.pop(name)
            return function(*args, **given)

        return cast(Call, called)

    return decorate
