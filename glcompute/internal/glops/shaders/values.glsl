// A VALUE is what a shader computes at once: four neighbouring columns of a row.
#define VALUE vec4
#define VALUES 4
#define LANE(v, n) v[n]

bvec4 above(vec4 a, vec4 b) { return greaterThan(a, b); }

bvec4 same(vec4 a, vec4 b) { return equal(a, b); }

// columns are the numbers of the columns of texel `at` of a row.
vec4 columns(int at) { return vec4(4 * at) + vec4(0.0, 1.0, 2.0, 3.0); }

// inside tells which of them a matrix of so many columns has.
bvec4 inside(int at, int cols) { return lessThan(4 * at + ivec4(0, 1, 2, 3), ivec4(cols)); }

// across is the number of texels of a row.
int across(int cols) { return (cols + 3) / 4; }

float total(vec4 v) { return (v.x + v.y) + (v.z + v.w); }
