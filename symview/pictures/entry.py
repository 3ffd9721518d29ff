"""What pictures add: the picture of a value for notebooks, and the functions that draw."""

FEATURES = {
    "picture": "symview.pictures.drawing:picture",
    "symview.draw": "symview.pictures.drawing:draw",
    "symview.draw_conditions": "symview.pictures.drawing:draw_conditions",
    "symview.draw_overflows": "symview.pictures.drawing:draw_overflows",
}
