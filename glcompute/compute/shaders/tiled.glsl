// A product. A workgroup of 8 x 8 threads computes a tile of
// 64 rows x 16 texels, each thread 8 x 2 texels of it. Sixteen inner indices at a time,
// each thread brings one block of 4 x 4 values of each operand into shared memory, the
// other way round where the operand lies so: then a texel of A holds four rows, and one of
// B four columns, at one inner index.
#include "kernel.glsl"
#include "store.glsl"
#include "times.glsl"

const int DEPTH = 16;      // inner indices in shared memory
const int TILE_GROUPS = 16; // groups of four rows of a tile
const int TILE_QUADS = 16; // texels of a row of a tile

uniform int innerQuads;

shared vec4 tileA[DEPTH * TILE_GROUPS];
shared vec4 tileB[DEPTH * TILE_QUADS];

vec4 sum[16]; // sum[r*2 + c]: row r, texel c of the thread's block

// loadA puts inner indices 4·quad.. of the rows 4·group.. of A' into depth 4·d.. of the tile.
void loadA(int d, int slot, int quad, int group) {
#if TRANS_A
	group = min(group, A_stride - 1);
#unroll j 4
	tileA[(4 * d + j) * TILE_GROUPS + slot] = quad < innerQuads ? A_in(A_row(4 * quad + j), group) : vec4(0.0);
#end
#else
#unroll r 4
	vec4 a##r = quad < innerQuads ? A_in(A_row(min(4 * group + r, A_rows - 1)), quad) : vec4(0.0);
#end
#unroll j 4
	tileA[(4 * d + j) * TILE_GROUPS + slot] = vec4(a0[j], a1[j], a2[j], a3[j]);
#end
#endif
}

// loadB puts inner indices 4·quad.. of the columns 4·column.. of B' into the tile.
void loadB(int d, int slot, int quad, int column) {
	column = min(column, Out_stride - 1);
#if TRANS_B
#unroll c 4
	vec4 b##c = quad < innerQuads ? B_in(B_row(4 * column + c), quad) : vec4(0.0);
#end
#unroll j 4
	tileB[(4 * d + j) * TILE_QUADS + slot] = vec4(b0[j], b1[j], b2[j], b3[j]);
#end
#else
#unroll j 4
	tileB[(4 * d + j) * TILE_QUADS + slot] = quad < innerQuads ? B_in(B_row(4 * quad + j), column) : vec4(0.0);
#end
#endif
}

void item(int i) {
	int thread = i % LOCAL, tile = i / LOCAL;
	int across = (Out_stride + TILE_QUADS - 1) / TILE_QUADS;
	int group = tile / across * TILE_GROUPS, column = tile % across * TILE_QUADS;
	int x = thread % 8, y = thread / 8;
	int slot = thread % 16, d = thread / 16;
#unroll n 16
	sum[n] = vec4(0.0);
#end
	for (int quad = 0; quad < innerQuads; quad += DEPTH / 4) {
		loadA(d, slot, quad + d, group + slot);
		loadB(d, slot, quad + d, column + slot);
		barrier();
#unroll k 16
		{
			vec4 b0 = tileB[k * TILE_QUADS + x], b1 = tileB[k * TILE_QUADS + x + 8];
#unroll g 2
			{
				vec4 a = tileA[k * TILE_GROUPS + 2 * y + g];
#unroll r 4
				sum[(4 * g + r) * 2] += times(a[r], b0);
				sum[(4 * g + r) * 2 + 1] += times(a[r], b1);
#end
			}
#end
		}
#end
		barrier();
	}
	int row = 4 * group + 8 * y;
#unroll r 8
#unroll c 2
	if (row + r < Out_rows && column + x + 8 * c < Out_stride) {
		store(row + r, column + x + 8 * c, sum[r * 2 + c]);
	}
#end
#end
}
