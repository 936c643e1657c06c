"""How sure a value is: intervals for every measure, from counts alone."""
