package program

import "testing"

// TestGradientOfOuter is the backward pass of an outer product, in terms of products:
// dA = B·dᵀ, dB = A·d; and the gradient of a layer's weights on a single sample as one.
func TestGradientOfOuter(t *testing.T) {
	b := newBackward()
	x, y := b.input(1, 5), b.input(1, 3)
	d := b.objective(b.Outer(x, y))
	b.gradients[x] = b.MatMul(y, d, false, true)
	b.gradients[y] = b.MatMul(x, d, false, false)
	b.check(t)

	b = newBackward()
	x, w := b.input(1, 5), b.input(5, 4)
	h := b.Linear(x, w, nil, Tanh)
	b.gradients[w] = b.Outer(x, b.ActivationGrad(b.objective(h), h, Tanh))
	b.check(t)
}

func TestOuterTakesRows(t *testing.T) {
	p := New()
	row, matrix := p.Input(1, 3), p.Input(2, 3)
	for name, record := range map[string]func(){
		"left":   func() { p.Outer(matrix, row) },
		"right":  func() { p.Outer(row, matrix) },
		"output": func() { p.OuterAdd(matrix, row, row) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: wrong shapes are taken", name)
				}
			}()
			record()
		}()
	}
}
