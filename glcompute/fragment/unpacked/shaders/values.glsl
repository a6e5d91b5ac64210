// A VALUE is what a shader computes at once: here the one value of a texel.
#define VALUE float
#define VALUES 1
#define LANE(v, n) v

bool above(float a, float b) { return a > b; }

bool same(float a, float b) { return a == b; }

float columns(int at) { return float(at); }

bool inside(int at, int cols) { return at < cols; }

int across(int cols) { return cols; }

float total(float v) { return v; }
