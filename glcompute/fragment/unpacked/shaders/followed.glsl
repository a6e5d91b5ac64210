// What follows the sum of a product, by the numbers in glops/fuse.go, for a single value.

#if FOLLOWED >= 2
#include "momentum.glsl"
#endif

float followed(float sum, int row, int col) {
#if FOLLOWED == 1
	return sum * activationGradient(vec4(Y_one(row, col))).x;
#elif FOLLOWED == 2
	return momentum(row, col, sum);
#elif FOLLOWED == 3
	return sum;
#else
	return activate(vec4(sum)).x;
#endif
}
