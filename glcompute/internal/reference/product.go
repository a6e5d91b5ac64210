package reference

// Product computes out[m][n] = Σ_k a'[m][k]·b'[k][n], or Σ_k (a'[m][k] - b'[k][n])² with
// distance, where a' is a[m][k], or a[k][m] when transA, and b' is b[k][n], or b[n][k] when
// transB.
func Product(out, a, b []float64, m, n, k int, transA, transB, distance bool) {
	for i := range m {
		for j := range n {
			sum := 0.0
			for l := range k {
				ai, bi := i*k+l, l*n+j
				if transA {
					ai = l*m + i
				}
				if transB {
					bi = j*k + l
				}
				if distance {
					d := a[ai] - b[bi]
					sum += d * d
				} else {
					sum += a[ai] * b[bi]
				}
			}
			out[i*n+j] = sum
		}
	}
}

// Convolution is that of images x[Images·Pixels][Groups·In] with filters w[Taps·In][Groups·Out]
// into y[Images·Positions][Groups·Out], in groups of channels. Table gives the pixel that a
// position sees through a tap, or -1; for InputGradient it is the inverse: the position that
// sees a pixel through a tap.
type Convolution struct {
	Groups, Taps, Images, Pixels, Positions, In, Out int
	Table                                            func(row, tap int) int
}

// Forward computes y.
func (c Convolution) Forward(y, x, w []float64) {
	for n := range c.Images {
		for p := range c.Positions {
			for g := range c.Groups {
				for j := range c.Out {
					sum := 0.0
					for t := range c.Taps {
						q := c.Table(p, t)
						if q < 0 {
							continue
						}
						for i := range c.In {
							sum += x[c.pixel(n, q, g, i)] * w[c.filter(t, i, g, j)]
						}
					}
					y[c.position(n, p, g, j)] = sum
				}
			}
		}
	}
}

// InputGradient computes dx from dy.
func (c Convolution) InputGradient(dx, dy, w []float64) {
	for n := range c.Images {
		for q := range c.Pixels {
			for g := range c.Groups {
				for i := range c.In {
					sum := 0.0
					for t := range c.Taps {
						p := c.Table(q, t)
						if p < 0 {
							continue
						}
						for j := range c.Out {
							sum += dy[c.position(n, p, g, j)] * w[c.filter(t, i, g, j)]
						}
					}
					dx[c.pixel(n, q, g, i)] = sum
				}
			}
		}
	}
}

// FilterGradient computes dw from x and dy.
func (c Convolution) FilterGradient(dw, x, dy []float64) {
	for t := range c.Taps {
		for i := range c.In {
			for g := range c.Groups {
				for j := range c.Out {
					sum := 0.0
					for n := range c.Images {
						for p := range c.Positions {
							if q := c.Table(p, t); q >= 0 {
								sum += x[c.pixel(n, q, g, i)] * dy[c.position(n, p, g, j)]
							}
						}
					}
					dw[c.filter(t, i, g, j)] = sum
				}
			}
		}
	}
}

func (c Convolution) pixel(n, q, g, i int) int    { return ((n*c.Pixels+q)*c.Groups+g)*c.In + i }
func (c Convolution) position(n, p, g, j int) int { return ((n*c.Positions+p)*c.Groups+g)*c.Out + j }
func (c Convolution) filter(t, i, g, j int) int   { return ((t*c.In+i)*c.Groups+g)*c.Out + j }
