// M = beta·M + (1 - beta)·g^MOMENT with g = DW + decay·W
#include "frame.glsl"

vec4 texel(int row, int quad) {
	vec4 settings = Settings_at(0, 0); // rate, beta1, beta2, epsilon
	float decay = Settings_at(0, 1).x;
	vec4 g = DW_at(row, quad) + decay * W_at(row, quad);
#if MOMENT == 1
	return settings.y * M_at(row, quad) + (1.0 - settings.y) * g;
#else
	return settings.z * M_at(row, quad) + (1.0 - settings.z) * g * g;
#endif
}
