// What becomes of a sum where no formulas are given: it is the result.
#include "values.glsl"

VALUE result0;

void formulas(int row, int at, VALUE sum) { result0 = sum; }
