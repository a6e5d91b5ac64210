// V = momentum·V + DW + decay·(W - Anchor)
#include "single.glsl"

float value(int row, int col) {
	vec4 settings = Settings_at(0, 0); // rate, momentum, decay
	float towards = W_one(row, col);
#if HAS_ANCHOR
	towards -= Anchor_one(row, col);
#endif
#if HAS_LOW
	towards += Low_one(row, col);
#endif
	return settings.y * V_one(row, col) + DW_one(row, col) + settings.z * towards;
}
