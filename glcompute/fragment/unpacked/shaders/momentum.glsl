// momentum·V + DW + decay·(W - Anchor)
float momentum(int row, int col, float dw) {
	vec4 settings = Settings_at(0, 0); // rate, momentum, decay
	float towards = W_one(row, col);
#if HAS_ANCHOR
	towards -= Anchor_one(row, col);
#endif
#if HAS_LOW
	towards += Low_one(row, col);
#endif
	return settings.y * V_one(row, col) + dw + settings.z * towards;
}
