// The functions of vectors.h for vectors of LANES float32. Included once for each width.

#define vec NAME(vec)
#define bits NAME(bits)
#define INLINE static inline __attribute__((always_inline)) TARGET
#define FUNCTION static TARGET void

typedef float vec __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t bits __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

#define pick NAME(pick)
#define load NAME(load)
#define store NAME(store)
#define load_some NAME(load_some)
#define store_some NAME(store_some)
#define root NAME(root)

// pick is a where mask is set and b elsewhere.
INLINE vec pick(bits mask, vec a, vec b) { return (vec)((mask & (bits)a) | (~mask & (bits)b)); }

#if LANES == 4
INLINE vec load_some(const float *p, whole n) {
	vec x = {0};
	for (int i = 0; i < n; i++) x[i] = p[i];
	return x;
}

INLINE void store_some(float *p, whole n, vec x) {
	for (int i = 0; i < n; i++) p[i] = x[i];
}

INLINE vec root(vec x) {
	for (int i = 0; i < LANES; i++) x[i] = sqrtf(x[i]);
	return x;
}
#endif

// load and store treat n values where a vector has more.
INLINE vec load(const float *p, whole n) {
	if (n >= LANES) return *(const vec *)p;
	return LOAD_SOME(p, n);
}

INLINE void store(float *p, whole n, vec x) {
	if (n >= LANES)
		*(vec *)p = x;
	else
		STORE_SOME(p, n, x);
}

#include "function_kernel.h"
#include "formula_kernel.h"
#include "reduce_kernel.h"
#include "panel_kernel.h"
#include "row_kernel.h"
#include "image_kernel.h"

#undef vec
#undef bits
#undef INLINE
#undef FUNCTION
#undef pick
#undef load
#undef store
#undef load_some
#undef store_some
#undef root
#undef LANES
#undef ROWS
#undef NAME
#undef TARGET
#undef LOAD_SOME
#undef STORE_SOME
#undef ROOT
#undef MORE
