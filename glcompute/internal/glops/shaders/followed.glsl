// What follows the sum of a product, by the numbers in fuse.go. The whole SGD step stands in
// the executors' update.glsl; one that has render targets takes the momentum from here.

#if FOLLOWED >= 2 && defined(TARGETS)
#include "momentum.glsl"
#endif

vec4 followed(vec4 sum, int row, int quad) {
#if FOLLOWED == 1
	return sum * activationGradient(Y_at(row, quad));
#elif FOLLOWED == 2
	return momentum(row, quad, sum);
#elif FOLLOWED == 3
	return sum;
#else
	return activate(sum);
#endif
}
