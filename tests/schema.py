"""What commands print as JSON, held against the schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

import symview

HEAD = {"command", "answer", "version"}
"""The keys that every answer has."""


@cache
def validator() -> Draft202012Validator:
    """The schema's, which is checked itself."""
    schema = json.loads((Path(symview.__file__).parent / "cli" / "schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def read(text: str | bytes) -> Any:
    """One object that was printed; raises where it is none of the schema's."""
    found = json.loads(text)
    validator().validate(found)
    return found


def own(text: str | bytes) -> Any:
    """The command's own keys of an answer."""
    return {key: value for key, value in read(text).items() if key not in HEAD}
