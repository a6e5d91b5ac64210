// Pixel (j, i) of an image is the bilinear sample of X at Affine·(j, i, 1) + D(j, i), D the
// cubic B-spline of the control points in Grid; see program.Warp. Texels are fetched as
// they are, without the sampler's filter, whose fractions have eight bits only.
#define HAS_LOOP
#include "frame.glsl"

uniform int width;
uniform int height;

// onAxis is the place of index i of n on the axis of control points, in pieces.
float onAxis(int i, int n) { return float(i) * float(Grid_cols - 3) / float(max(n - 1, 1)); }

int piece(float at) { return clamp(int(at), 0, Grid_cols - 4); }

// The cubic B-spline around zero, whose pieces are one long.
vec4 spline(vec4 d) {
	d = abs(d);
	vec4 outer = max(2.0 - d, vec4(0.0));
	return mix((4.0 - 6.0 * d * d + 3.0 * d * d * d) / 6.0, outer * outer * outer / 6.0, greaterThan(d, vec4(1.0)));
}

float pixel(int image, int row, int column) {
	if (row < 0 || column < 0 || row >= height || column >= width) {
		return 0.0;
	}
	int i = row * width + column;
	return X_at(image, i / 4)[i % 4];
}

float sampled(int image, float x, float y) {
	if (isnan(x) || isnan(y)) {
		return x + y;
	}
	// Further out than one pixel all is zero.
	x = clamp(x, -1.0, float(width));
	y = clamp(y, -1.0, float(height));
	float left = floor(x), top = floor(y);
	float u = x - left, v = y - top;
	int row = int(top), column = int(left);
	float above = mix(pixel(image, row, column), pixel(image, row, column + 1), u);
	float below = mix(pixel(image, row + 1, column), pixel(image, row + 1, column + 1), u);
	return mix(above, below, v);
}

vec4 texel(int image, int quad) {
	// The four pixels of a texel are neighbours in one row of the image.
	int i = 4 * quad / width, j = 4 * quad % width;
	float down = onAxis(i, height);
	int first = piece(down);
	vec4 wy = spline(down - float(first) - vec4(-1.0, 0.0, 1.0, 2.0));
	int gridX = 2 * image * Grid_cols + first, gridY = gridX + Grid_cols;
	vec4 along = vec4(onAxis(j, width), onAxis(j + 1, width), onAxis(j + 2, width), onAxis(j + 3, width));
	vec4 dx = vec4(0.0), dy = vec4(0.0);
	for (int q = 0; q < Grid_stride; q++) {
		vec4 cx = wy.x * Grid_at(gridX, q) + wy.y * Grid_at(gridX + 1, q) + wy.z * Grid_at(gridX + 2, q) + wy.w * Grid_at(gridX + 3, q);
		vec4 cy = wy.x * Grid_at(gridY, q) + wy.y * Grid_at(gridY + 1, q) + wy.z * Grid_at(gridY + 2, q) + wy.w * Grid_at(gridY + 3, q);
		for (int n = 0; n < 4; n++) {
			// Control point c is the middle of its spline at place c - 1.
			vec4 w = spline(along - float(4 * q + n - 1));
			dx += cx[n] * w;
			dy += cy[n] * w;
		}
	}
	vec4 a = Affine_at(image, 0);
	vec2 b = Affine_at(image, 1).xy;
	vec4 column = vec4(j) + vec4(0.0, 1.0, 2.0, 3.0);
	vec4 x = a.x * column + a.y * float(i) + a.z + dx;
	vec4 y = a.w * column + b.x * float(i) + b.y + dy;
	return vec4(sampled(image, x.x, y.x), sampled(image, x.y, y.y), sampled(image, x.z, y.z), sampled(image, x.w, y.w));
}
