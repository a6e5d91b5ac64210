package lvq

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute"
)

// mixture are normal distributions with diagonal covariances, learned by expectation-maximisation
// (Dempster, Laird and Rubin, 1977). A device finds how probable each row x is,
//
//	ln p(x) = ln Σ_k w_k·N(x; m_k, v_k)        r_k(x) = w_k·N(x; m_k, v_k) / p(x)
//
// and sums r, r·x and r·x² over the rows, of which the host makes w, m and v.
type mixture struct {
	dev                           glcompute.Device
	run                           glcompute.Run
	rows, narrow, centre, offsets *glcompute.Parameter // 1/v, m/v, and what does not depend on x
	bindings                      []glcompute.Binding
	logs, counts, sums, squares   []float32

	width, k         int
	least            []float64 // variance of each column
	weights          []float64
	means, variances []float64 // [k][width]
}

// leastVariance is the share of the variance of all rows below which none falls, so that no
// distribution closes in on a single row.
const leastVariance = 1e-2

// mixtureRounds are those of expectation-maximisation.
const mixtureRounds = 20

// Mixture gives the means of at most k normal distributions that rows are a mixture of. It begins
// as KMeans does. When ctx ends its cause is returned.
func Mixture(ctx context.Context, dev glcompute.Device, rows [][]float32, k int, rng *rand.Rand) ([][]float32, error) {
	means, err := start(ctx, rows, k, rng)
	if err != nil {
		return nil, err
	}
	m, err := newMixture(dev, rows, means)
	if err != nil {
		return nil, err
	}
	defer m.close()
	before := math.Inf(-1)
	err = repeat(ctx, mixtureRounds, func() (done bool, err error) {
		likelihood, err := m.round()
		done = likelihood-before < 1e-4
		before = likelihood
		return done, err
	})
	if err != nil {
		return nil, err
	}
	for i := range means {
		means[i] = make([]float32, m.width)
		for d, v := range m.means[i*m.width : (i+1)*m.width] {
			means[i][d] = float32(v)
		}
	}
	return means, nil
}

func newMixture(dev glcompute.Device, rows, means [][]float32) (*mixture, error) {
	n, width, k := len(rows), len(rows[0]), len(means)
	m := &mixture{
		dev: dev, width: width, k: k, least: make([]float64, width), weights: slices.Repeat([]float64{1 / float64(k)}, k),
		rows:   glcompute.NewParameter("rows", n, width, slices.Concat(rows...)),
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
	x := p.Variable(m.rows)
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
	var err error
	if m.run, err = dev.Compile(p); err != nil {
		return nil, fmt.Errorf("preparing the mixture on the %s device: %w", dev.Info().Kind, err)
	}
	return m, nil
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
	if err := m.run.Do(m.bindings...); err != nil {
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

func (m *mixture) close() {
	m.run.Close()
	for _, par := range []*glcompute.Parameter{m.rows, m.narrow, m.centre, m.offsets} {
		m.dev.Forget(par)
	}
}
