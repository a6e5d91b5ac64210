// momentum·V + DW + decay·(W - Anchor)
vec4 momentum(int row, int quad, vec4 dw) {
	vec4 settings = Settings_at(0, 0); // rate, momentum, decay
	vec4 towards = W_at(row, quad);
#if HAS_ANCHOR
	towards -= Anchor_at(row, quad);
#endif
#if HAS_LOW
	towards += Low_at(row, quad);
#endif
	return settings.y * V_at(row, quad) + dw + settings.z * towards;
}
