package lvq

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute"
	"inkshade/recognizer/feature"
)

const rounds = 12 // of Lloyd's algorithm; later ones hardly move a mean

// KMeans gives at most k means of rows, fewer where there are not so many different rows:
// k-means++ start (Arthur and Vassilvitskii, 2007), then Lloyd's algorithm on the device. A mean to
// which no row is nearest goes to the row that is farthest from its own. rows are not
// changed. When ctx ends its cause is returned.
func KMeans(ctx context.Context, dev glcompute.Device, rows [][]float32, k int, rng *rand.Rand) ([][]float32, error) {
	means, err := start(ctx, rows, k, rng)
	if err != nil {
		return nil, err
	}
	c, err := newClustering(dev, rows, means)
	if err != nil {
		return nil, err
	}
	defer c.close()
	var before []float32
	err = repeat(ctx, rounds, func() (done bool, err error) {
		_, err = c.round()
		done = slices.Equal(c.nearest, before)
		before = slices.Clone(c.nearest)
		return done, err
	})
	if err != nil {
		return nil, err
	}
	if err := dev.Download(c.means); err != nil {
		return nil, err
	}
	for i := range means {
		means[i] = c.means.Data[i*c.means.Cols : (i+1)*c.means.Cols]
	}
	return means, nil
}

// repeat makes so many rounds at most. When ctx ends its cause is returned.
func repeat(ctx context.Context, most int, round func() (done bool, err error)) error {
	for range most {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if done, err := round(); done || err != nil {
			return err
		}
	}
	return nil
}

// clustering are rounds of Lloyd's algorithm, each of which gives every row to its nearest mean, and makes
// the means those of their rows. Rows and means stay on the device.
type clustering struct {
	dev         glcompute.Device
	rows, means *glcompute.Parameter
	run         glcompute.Run
	outs        []glcompute.Binding

	nearest  []float32 // [rows] the number of the mean before the last round
	distance []float32 // [rows] squared, to that
	counts   []float32 // [means] rows of each
}

func newClustering(dev glcompute.Device, rows, means [][]float32) (*clustering, error) {
	width := len(rows[0])
	c := &clustering{
		dev: dev, rows: glcompute.NewParameter("rows", len(rows), width, slices.Concat(rows...)),
		means:   glcompute.NewParameter("means", len(means), width, slices.Concat(means...)),
		nearest: make([]float32, len(rows)), distance: make([]float32, len(rows)), counts: make([]float32, len(means)),
	}
	p := glcompute.NewProgram()
	x, m := p.Variable(c.rows), p.Variable(c.means)
	distance, nearest := p.Extreme(glcompute.ReduceMin, glcompute.AlongRows, p.Distances(x, m))
	own := glcompute.Sub(glcompute.Const(0.5), glcompute.Abs(glcompute.Sub(glcompute.ColumnIndex(), glcompute.Arg(0))))
	shares := p.ElementwiseOf("own", x.Rows, m.Rows, glcompute.Select(own, glcompute.Const(1), glcompute.Const(0)), glcompute.Whole(nearest))
	sums := p.Product(glcompute.Transposed(shares), glcompute.Plain(x))
	counts := p.Transpose(p.Sum(glcompute.AlongColumns, shares))
	mean := glcompute.Select(glcompute.Arg(1), glcompute.Div(glcompute.Arg(0), glcompute.Arg(1)), glcompute.Arg(2))
	p.Update("means", []*glcompute.Tensor{m}, []*glcompute.Expr{mean}, glcompute.Whole(sums), glcompute.Whole(counts), glcompute.Whole(m))
	c.outs = []glcompute.Binding{glcompute.Out(nearest, c.nearest), glcompute.Out(distance, c.distance), glcompute.Out(counts, c.counts)}
	var err error
	if c.run, err = dev.Compile(p); err != nil {
		return nil, fmt.Errorf("preparing the clusters on the %s device: %w", dev.Info().Kind, err)
	}
	return c, nil
}

// round makes one and gives the sum of the squared distances before it, which no round makes larger.
func (c *clustering) round() (sum float64, err error) {
	if err := c.run.Do(c.outs...); err != nil {
		return 0, err
	}
	for _, d := range c.distance {
		sum += float64(d)
	}
	if !slices.Contains(c.counts, 0) {
		return sum, nil
	}
	if err := c.dev.Download(c.means); err != nil {
		return 0, err
	}
	width := c.means.Cols
	for i, count := range c.counts {
		if far := slices.Index(c.distance, slices.Max(c.distance)); count == 0 && c.distance[far] > 0 {
			copy(c.means.Data[i*width:(i+1)*width], c.rows.Data[far*width:])
			c.distance[far] = 0
		}
	}
	return sum, c.dev.Upload(c.means)
}

func (c *clustering) close() {
	c.run.Close()
	c.dev.Forget(c.rows)
	c.dev.Forget(c.means)
}

// start draws means among the rows, each with a chance that grows with its squared
// distance from those drawn before.
func start(ctx context.Context, rows [][]float32, k int, rng *rand.Rand) ([][]float32, error) {
	means := [][]float32{rows[rng.IntN(len(rows))]}
	left := slices.Repeat([]float64{math.Inf(1)}, len(rows))
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
