// Products of matrices in panels, with what a layer does to the sums, for processors with
// AVX-512 or with AVX2 and FMA.
//
// A panel is 2*lanes neighbouring columns of the right factor (lanes in the last one where
// that is enough, filled up with zeros), one step of the inner product after another, so that
// what a tile of the result needs lies in a row in memory.

enum { PANEL_IDENTITY, PANEL_TANH, PANEL_SIGMOID, PANEL_RELU };

// How the left factor of panel_product is stored: a[m][k], a[k][m], or what panel_tiles writes.
enum { PANEL_ROWS, PANEL_COLUMNS, PANEL_TILES };

// Below, lanes is how many float32 a vector of the processor has: 16, or 8, which also runs where it is 16.

// panel_pack writes the panels of b'[k][n] to out: of b[k][n] the steps from to to-1, of
// b[n][k], transposed, the panels from to to-1. ld is the leading dimension of b.
void panel_pack(int lanes, int transposed, long k, long n, const float *b, long ld, long from, long to, float *out);

// panel_tile is how many rows of the left factor are taken at once, and panel_tiles writes the tiles of so
// many rows, from to to-1, of the transposed of a[k][m] to out: each step of a tile after the other, so that
// it lies in a row in memory. The last tile has room for as many as the others.
enum { PANEL_TILE_8 = 6, PANEL_TILE_16 = 12 };
void panel_tiles(int lanes, long m, long k, const float *a, long lda, long from, long to, float *out);

// panel_product is c[m][n] = f(a'[m][k]·b' + bias[n]), without bias where that is null, or
// c += a'·b' for accumulate. lda and ldc are leading dimensions.
void panel_product(int lanes, int order, long m, long n, long k, const float *a, long lda, const float *panels,
	const float *bias, int f, int accumulate, float *c, long ldc);

// panel_row is c[n] = f(a[k]·b[k][n] + bias) or, for accumulate, c += a·b, with the same sums as
// panel_product, from a b that is not packed: for one row that would take longer than the product.
// Steps of which a is zero may be left out. sums has room for n values; without accumulate it may be c.
void panel_row(int lanes, long n, long k, const float *a, const float *b, long ldb, const float *bias, int f, int accumulate, float *sums, float *c);

// panel_activate is out[i] = f(x[i]) for i < n; out may be x.
void panel_activate(int lanes, int f, long n, const float *x, float *out);
