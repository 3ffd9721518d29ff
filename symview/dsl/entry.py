"""What the checks of the CuTe DSL add: they start with `import symview` if CUTE_CHECK is set."""

FEATURES = {"CUTE_CHECK": "symview.dsl.startup:start"}
