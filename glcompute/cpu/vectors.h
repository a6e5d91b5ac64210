// What the processor computes in vectors, for AVX-512, for AVX2 with FMA, and for the 4 float32 that every
// processor has at once. lanes is how many a vector has: 16, 8 or 4.
//
// All slices may be read, not written, up to READ_BEYOND values past their end.

#include <stdint.h>

typedef intptr_t whole; // a whole number of Go

enum { READ_BEYOND = 16 };

// A formula is a list of instructions over registers of up to FORMULA_STRIP values each: neighbouring elements
// of a row, or of several whole rows. The first registers are the operands, then the constants.
enum { FORMULA_STRIP = 384 };

// The instructions are expr's primitives in its order, and some that put two of them into one.
enum { ADD, SUB, MUL, DIV, MAX, MIN, EXP, LOG, SQRT, TANH, SIGMOID, SELECT, MUL_ADD /* a·b + c */, SUB_MUL /* c - a·b */, ADD_MAX /* max(a + b, c) */ };

// How an operand meets the elements, as in program.Spread, and as what precedes the formula.
enum { SPREAD_NONE, SPREAD_ROW, SPREAD_COLUMN, SPREAD_VALUE, SPREAD_SUMS };

typedef struct { uintptr_t data; whole ld, spread; } formula_operand;
typedef struct { int32_t op, out, a, b, c; } formula_step;
typedef struct { uintptr_t data; whole ld, from; } formula_result; // from is a register

typedef struct {
	uintptr_t operand, constant, step, result; // arrays: formula_operand, float, formula_step, formula_result
	whole operands, constants, once, steps, results, registers;
} formula; // the first once of the steps depend on no element

// run_formula gives the results new values in the rows r0 to r1-1 and the columns c0 to c1-1. sums
// [r1-r0][ld], which may be null, are what precedes the formula.
void run_formula(int lanes, const formula *f, whole r0, whole r1, whole c0, whole c1, const float *sums, whole ld);

// reduce_rows makes one value of each row of the first result of a formula, from its columns c0 to c1-1, and
// reduce_columns of each column from its rows; out is that of the first of them. kind is program.ReduceKind
// without the mean, and index, which may be null, gets the place of the largest or smallest.
enum { REDUCE_SUM, REDUCE_MAX = 2, REDUCE_MIN };
void reduce_rows(int lanes, const formula *f, int kind, whole r0, whole r1, whole cols, float *out, float *index);
void reduce_columns(int lanes, const formula *f, int kind, whole r0, whole r1, whole c0, whole c1, float *out, float *index);

// A panel is 2*lanes neighbouring columns of the right factor of a product (lanes in the last one where that is
// enough, filled up with zeros), one step of the sums after another, so that what a tile of the result needs
// lies in a row in memory.

// pack_panels writes steps of the panels of b'[steps][n], which are the steps from first on of panels of k:
// of b[steps][n] the steps from to to-1, of b[n][steps], transposed, the panels from to to-1. ld is the
// leading dimension of b.
void pack_panels(int lanes, int transposed, whole k, whole first, whole steps, whole n, const float *b, whole ld, whole from, whole to, float *out);

// A tile is TILE_ROWS rows of the left factor, which are taken at once. pack_tiles writes the tiles from to
// to-1 of the transposed of a[k][m], one step after another. The last has room for as many rows as the others.
#define TILE_ROWS(lanes) ((lanes) == 16 ? 12 : 6)
void pack_tiles(int lanes, whole m, whole k, const float *a, whole lda, whole from, whole to, float *out);

// How the left factor is stored: a[m][k], a[k][m], what pack_tiles writes, or images through a table.
enum { LEFT_ROWS, LEFT_COLUMNS, LEFT_TILES, LEFT_IMAGES };

// Through images a row of the left factor is what a position sees: segments of so many neighbouring values, each from its place in
// the image on, or zeros where that is negative. size is that of an image.
typedef struct {
	uintptr_t places, zeros; // arrays: int32_t [positions][segments], float [length]
	whole segments, length, positions, size;
} images;

// multiply gives the sums c[m][n] = Σ a'·b', of (a' - b')² where distance, or adds them to c, to the results of
// the formula f, whose rows and columns from r0 and c0 on they are, and where f is null to c. Each is taken over
// k one after another. With LEFT_TILES and LEFT_IMAGES there are no distances. Of images, a is the first, and r0 the first row.
void multiply(int lanes, int left, int distance, int accumulate, whole m, whole n, whole k, const float *a, whole lda,
	const images *seen, const float *panels, float *c, whole ldc, const formula *f, whole r0, whole c0);

// weigh_rows gives out[n] = Σ_i x[i]·b[at[i]][n], the same sums as those of multiply; values x that are zero may
// be left out. order and at may be null, and stand for whole numbers: x[order[i]] counts instead of x[i], and b[i]
// instead of b[at[i]]. Where f is not null out is what precedes it in row r from column c on.
void weigh_rows(int lanes, whole n, whole count, const float *x, const float *order, const float *at, const float *b, whole ldb, float *out,
	const formula *f, whole r, whole c);

// dot_rows gives out[j] = Σ_l a[l]·b[j][l] for j < n.
void dot_rows(int lanes, whole n, whole k, const float *a, const float *b, whole ldb, float *out);

// gather writes rows of a virtual image matrix: runs are pairs of the pixel that taps side by side begin to see, -1
// for zeros, and how many they are. Of ld channels of a pixel it takes so many from image on.
void gather(int lanes, whole runs, whole channels, const int32_t *run, const float *image, whole ld, float *out);

// pool reduces the pixels that positions see through their taps, by program.ReduceKind. index may be null; with
// match a tap counts only where that has its number.
void pool(int lanes, int kind, whole positions, whole taps, whole channels, const int32_t *table, const float *image,
	const float *match, float *out, float *index);

// depthwise is out[p][c] = Σ_t image[table[p][t]][c]·w[t][c], depthwise_filter
// w[t][c] += Σ_p image[table[p][t]][c]·d[p][c].
void depthwise(int lanes, whole positions, whole taps, whole channels, const int32_t *table, const float *image, const float *w, float *out);
void depthwise_filter(int lanes, whole positions, whole taps, whole channels, const int32_t *table, const float *image, const float *d, float *w);

// relax leaves the processor's core to what else runs on it for a moment, some ten nanoseconds to half a microsecond.
void relax(void);
