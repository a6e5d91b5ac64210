package lvq

import (
	"context"
	"math"
	"math/rand/v2"

	"inkshade/recognizer/feature"
)

const rounds = 12 // of Lloyd's algorithm; later ones hardly move a mean

// KMeans gives at most k means of rows, fewer where there are not so many different rows:
// k-means++ start (Arthur and Vassilvitskii, 2007), then Lloyd's algorithm. rows are not
// changed. When ctx ends its cause is returned.
func KMeans(ctx context.Context, rows [][]float32, k int, rng *rand.Rand) ([][]float32, error) {
	means, err := start(ctx, rows, k, rng)
	if err != nil {
		return nil, err
	}
	nearest := make([]int, len(rows))
	for range rounds {
		moved := false
		for i, r := range rows {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			at, _ := Closest(r, means)
			moved = moved || at != nearest[i]
			nearest[i] = at
		}
		means = average(rows, nearest, means)
		if !moved {
			break
		}
	}
	return means, nil
}

// start draws means among the rows, each with a chance that grows with its squared
// distance from those drawn before.
func start(ctx context.Context, rows [][]float32, k int, rng *rand.Rand) ([][]float32, error) {
	means := [][]float32{rows[rng.IntN(len(rows))]}
	left := make([]float64, len(rows))
	for i := range left {
		left[i] = math.Inf(1)
	}
	for len(means) < k {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		sum := 0.0
		for i, r := range rows {
			left[i] = min(left[i], float64(feature.SquaredDistance(r, means[len(means)-1])))
			sum += left[i]
		}
		if sum == 0 {
			break
		}
		at, next := rng.Float64()*sum, len(rows)-1
		for i, d := range left {
			if at -= d; at < 0 {
				next = i
				break
			}
		}
		means = append(means, rows[next])
	}
	return means, nil
}

// average gives the mean of the rows nearest to each mean; one that has none stays.
func average(rows [][]float32, nearest []int, means [][]float32) [][]float32 {
	sums := make([][]float64, len(means))
	counts := make([]int, len(means))
	for i, r := range rows {
		c := nearest[i]
		if sums[c] == nil {
			sums[c] = make([]float64, len(r))
		}
		counts[c]++
		for j, v := range r {
			sums[c][j] += float64(v)
		}
	}
	out := make([][]float32, len(means))
	for c, sum := range sums {
		if counts[c] == 0 {
			out[c] = means[c]
			continue
		}
		out[c] = make([]float32, len(sum))
		for j, v := range sum {
			out[c][j] = float32(v / float64(counts[c]))
		}
	}
	return out
}

// Closest gives the index of the nearest mean and its squared distance.
func Closest(row []float32, means [][]float32) (at int, distance float32) {
	distance = float32(math.Inf(1))
	for c, m := range means {
		if d := feature.SquaredDistance(row, m); d < distance {
			at, distance = c, d
		}
	}
	return at, distance
}
