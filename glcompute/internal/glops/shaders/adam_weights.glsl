// W = W - rate · (M/correction1) / (√(V/correction2) + epsilon)
#include "frame.glsl"

vec4 texel(int row, int quad) {
	vec4 settings = Settings_at(0, 0); // rate, beta1, beta2, epsilon
	vec4 more = Settings_at(0, 1); // decay, correction1, correction2
	vec4 root = sqrt(V_at(row, quad) / more.z) + settings.w;
	return W_at(row, quad) - settings.x * (M_at(row, quad) / more.y) / root;
}
