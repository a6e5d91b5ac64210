package lvq

import (
	"context"
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
	return cluster(ctx, dev, rows, k, rng, rounds, newClustering)
}

// clusterer makes means better round by round, until one is no better than that before.
type clusterer interface {
	next() (done bool, err error)
	found() ([]float32, error) // the means behind each other
	close()
}

// cluster lets what begin makes of the first means go on for so many rounds at most.
func cluster[C clusterer](ctx context.Context, dev glcompute.Device, rows [][]float32, k int, rng *rand.Rand, most int, begin func(dev glcompute.Device, rows, means [][]float32) (C, error)) ([][]float32, error) {
	means, err := start(ctx, rows, k, rng)
	if err != nil {
		return nil, err
	}
	c, err := begin(dev, rows, means)
	if err != nil {
		return nil, err
	}
	defer c.close()
	for done := false; most > 0 && !done; most-- {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if done, err = c.next(); err != nil {
			return nil, err
		}
	}
	all, err := c.found()
	return slices.Collect(slices.Chunk(all, len(rows[0]))), err
}

// clustering are rounds of Lloyd's algorithm, each of which gives every row to its nearest mean, and makes
// the means those of their rows. Rows and means stay on the device.
type clustering struct {
	program
	rows, means *glcompute.Parameter
	outs        []glcompute.Binding

	nearest  []float32 // [rows] the number of the mean before the last round
	distance []float32 // [rows] squared, to that
	counts   []float32 // [means] rows of each
	before   []float32 // nearest before the last round; nil before any
}

func newClustering(dev glcompute.Device, rows, means [][]float32) (c *clustering, err error) {
	width := len(rows[0])
	c = &clustering{
		rows:    glcompute.NewParameter("rows", len(rows), width, slices.Concat(rows...)),
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
	c.program, err = compile(dev, p, "the clusters")
	return c, err
}

func (c *clustering) next() (done bool, err error) {
	_, err = c.round()
	done = slices.Equal(c.nearest, c.before)
	c.before = slices.Clone(c.nearest)
	return done, err
}

func (c *clustering) found() ([]float32, error) {
	err := c.dev.Download(c.means)
	return c.means.Data, err
}

// round makes one and gives the sum of the squared distances before it, which no round makes larger.
func (c *clustering) round() (sum float64, err error) {
	if err := c.Do(c.outs...); err != nil {
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

// mixture are normal distributions with diagonal covariances, learned by expectation-maximisation
// (Dempster, Laird and Rubin, 1977). A device finds how probable each row x is,
//
//	ln p(x) = ln Σ_k w_k·N(x; m_k, v_k)        r_k(x) = w_k·N(x; m_k, v_k) / p(x)
//
// and sums r, r·x and r·x² over the rows, of which the host makes w, m and v.
type mixture struct {
	program
	narrow, centre, offsets     *glcompute.Parameter // 1/v, m/v, and what does not depend on x
	bindings                    []glcompute.Binding
	logs, counts, sums, squares []float32

	width, k         int
	least            []float64 // variance of each column
	weights          []float64
	means, variances []float64 // [k][width]
	before           float64   // what the last round gave
}

// leastVariance is the share of the variance of all rows below which none falls, so that no
// distribution closes in on a single row.
const leastVariance = 1e-2

// mixtureRounds are those of expectation-maximisation.
const mixtureRounds = 20

// Mixture gives the means of at most k normal distributions that rows are a mixture of. It begins
// as KMeans does. When ctx ends its cause is returned.
func Mixture(ctx context.Context, dev glcompute.Device, rows [][]float32, k int, rng *rand.Rand) ([][]float32, error) {
	return cluster(ctx, dev, rows, k, rng, mixtureRounds, newMixture)
}

func newMixture(dev glcompute.Device, rows, means [][]float32) (m *mixture, err error) {
	n, width, k := len(rows), len(rows[0]), len(means)
	m = &mixture{
		before: math.Inf(-1), width: width, k: k, least: make([]float64, width), weights: slices.Repeat([]float64{1 / float64(k)}, k),
		narrow: glcompute.NewParameter("narrow", k, width, nil), centre: glcompute.NewParameter("centre", k, width, nil), offsets: glcompute.NewParameter("offsets", 1, k, nil),
		logs: make([]float32, n), counts: make([]float32, k), sums: make([]float32, k*width), squares: make([]float32, k*width),
	}
	for d := range width {
		sum, square := 0.0, 0.0
		for _, r := range rows {
			sum, square = sum+float64(r[d])/float64(n), square+float64(r[d])*float64(r[d])/float64(n)
		}
		m.least[d] = leastVariance*max(0, square-sum*sum) + 1e-6
	}
	for _, mean := range means {
		for d, v := range mean {
			m.means, m.variances = append(m.means, float64(v)), append(m.variances, m.least[d]/leastVariance)
		}
	}
	p := glcompute.NewProgram()
	x := p.Variable(glcompute.NewParameter("rows", n, width, slices.Concat(rows...)))
	x2 := p.Elementwise("square", glcompute.Square(glcompute.Arg(0)), x)
	logs := p.Elementwise("ln w·N", glcompute.Add(glcompute.Add(glcompute.Scale(-0.5, glcompute.Arg(0)), glcompute.Arg(1)), glcompute.Arg(2)),
		p.Product(glcompute.Plain(x2), glcompute.Transposed(p.Variable(m.narrow))), p.Product(glcompute.Plain(x), glcompute.Transposed(p.Variable(m.centre))), p.Variable(m.offsets))
	top := p.Reduce(glcompute.ReduceMax, glcompute.AlongRows, glcompute.Arg(0), logs)
	sum := p.Reduce(glcompute.ReduceSum, glcompute.AlongRows, glcompute.Exp(glcompute.Sub(glcompute.Arg(0), glcompute.Arg(1))), logs, top)
	log := p.Elementwise("ln p", glcompute.Add(glcompute.Log(glcompute.Arg(0)), glcompute.Arg(1)), sum, top)
	shares := p.ElementwiseOf("r", n, k, glcompute.Exp(glcompute.Sub(glcompute.Arg(0), glcompute.Arg(1))), glcompute.Whole(logs), glcompute.Whole(log))
	m.bindings = []glcompute.Binding{
		glcompute.Out(log, m.logs), glcompute.Out(p.Sum(glcompute.AlongColumns, shares), m.counts),
		glcompute.Out(p.Product(glcompute.Transposed(shares), glcompute.Plain(x)), m.sums), glcompute.Out(p.Product(glcompute.Transposed(shares), glcompute.Plain(x2)), m.squares),
	}
	m.program, err = compile(dev, p, "the mixture")
	return m, err
}

func (m *mixture) next() (done bool, err error) {
	likelihood, err := m.round()
	done = likelihood-m.before < 1e-4
	m.before = likelihood
	return done, err
}

func (m *mixture) found() ([]float32, error) {
	means := make([]float32, len(m.means))
	for i, v := range m.means {
		means[i] = float32(v)
	}
	return means, nil
}

// round makes one and gives the mean of ln p(x) before it, which no round makes smaller.
func (m *mixture) round() (likelihood float64, err error) {
	for k := range m.k {
		offset := math.Log(m.weights[k])
		for d := range m.width {
			i := k*m.width + d
			mean, v := m.means[i], m.variances[i]
			m.narrow.Data[i], m.centre.Data[i] = float32(1/v), float32(mean/v)
			offset -= (math.Log(2*math.Pi*v) + mean*mean/v) / 2
		}
		m.offsets.Data[k] = float32(offset)
	}
	for _, par := range []*glcompute.Parameter{m.narrow, m.centre, m.offsets} {
		if err := m.dev.Upload(par); err != nil {
			return 0, err
		}
	}
	if err := m.Do(m.bindings...); err != nil {
		return 0, err
	}
	n := float64(len(m.logs))
	for _, v := range m.logs {
		likelihood += float64(v) / n
	}
	for k, count := range m.counts {
		if count < 1e-3 { // it has died out, and stays where it is
			m.weights[k] = 1e-9
			continue
		}
		m.weights[k] = float64(count) / n
		for d := range m.width {
			i := k*m.width + d
			m.means[i] = float64(m.sums[i]) / float64(count)
			m.variances[i] = max(m.least[d], float64(m.squares[i])/float64(count)-m.means[i]*m.means[i])
		}
	}
	return likelihood, nil
}
