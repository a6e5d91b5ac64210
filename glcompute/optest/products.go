package optest

import (
	"testing"

	"inkshade/glcompute/program"
)

// Products checks the matrix product, at a few awkward shapes in all its forms: what
// each variant of it must pass. Few forms, since each is a shader that drivers compile.
func Products(t *testing.T, dev program.Device) {
	var cases []testCase
	for _, s := range []shape{{1, 10, 17}, {3, 5, 4}, {17, 33, 65}, {65, 130, 33}, {9, 10, 1031}, {1, 801, 784}} {
		for _, ta := range []bool{false, true} {
			for _, tb := range []bool{false, true} {
				cases = append(cases, productCase(s, ta, tb))
			}
		}
	}
	cases = append(cases,
		productCase(shape{2, 3, beyondRow}, false, false), productCase(shape{beyondHeight, 3, 2}, false, false),
		layerCase(shape{1, 801, 784}, program.Tanh, true), layerCase(shape{37, 129, 785}, program.Tanh, true),
		accumulateCase(shape{65, 37, 130}, false, true), accumulateCase(shape{1, 70, 300}, false, true),
	)
	checkAll(t, dev, append(cases, followedCases()...))
}
