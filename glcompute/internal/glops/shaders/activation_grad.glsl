// DX[i] = DY[i]·f'(x), f' in terms of Y[i] = f(x)
#include "activation.glsl"

vec4 element(vec4 dy, vec4 y) { return dy * activationGradient(y); }

#include "elementwise.glsl"
