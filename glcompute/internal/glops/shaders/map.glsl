// Out[i] = f(X[i])
#include "activation.glsl"

vec4 element(vec4 x, vec4 unused) { return activate(x); }

#include "elementwise.glsl"
