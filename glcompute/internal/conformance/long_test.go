package conformance

import (
	"inkshade/glcompute/compare"
	"inkshade/glcompute/internal/program"
)

// longCases would go round their loops more often than llvmpipe lets the loops of a shader, which ends
// them after 65,535 rounds together and says nothing, even with four values a round.
func longCases() []testCase {
	const n = 300_000
	limit := compare.Limit{Abs: 4e-3, Rel: 1e-4, Reason: "roundings of sums of 300,000 values"}
	tall := func(r *recorder) *program.Tensor { return r.input(n, 5, within(0.5)) }
	wide := func(r *recorder) *program.Tensor { return r.input(5, n, within(0.5)) }
	gradient := func(r *recorder, channels, groups int) {
		w := program.Window{Height: 32, Width: 32, KernelHeight: 1, KernelWidth: 2, Right: 1}
		x := program.View{Tensor: r.input(270*32*32, channels, uniform), Trans: true, Table: w.Table(), Groups: groups}
		r.Gathered(x, program.Plain(r.input(x.Rows, channels, within(0.1))), 2*channels/groups, channels)
	}
	return []testCase{
		{"long product of rows", limit, func(r *recorder) { r.Product(program.Plain(wide(r)), program.Transposed(wide(r))) }},
		{"long product of columns", limit, func(r *recorder) { r.Product(program.Transposed(tall(r)), program.Plain(tall(r))) }},
		{"long product", limit, func(r *recorder) { r.Product(program.Plain(wide(r)), program.Plain(tall(r))) }},
		{"long sums of columns", limit, func(r *recorder) { r.Sum(program.AlongColumns, tall(r)) }},
		{"long sums of rows", limit, func(r *recorder) { r.Sum(program.AlongRows, wide(r)) }},
		{"place of the largest in long columns", limit, func(r *recorder) { r.Extreme(program.ReduceMax, program.AlongColumns, tall(r)) }},
		{"place of the largest in long rows", limit, func(r *recorder) { r.Extreme(program.ReduceMax, program.AlongRows, wide(r)) }},
		{"softmax of long rows", limit, func(r *recorder) { r.Softmax(wide(r)) }},
		{"filter gradient of many images to one column", limit, func(r *recorder) { gradient(r, 1, 1) }},
		{"filter gradient of many images of groups", limit, func(r *recorder) { gradient(r, 2, 2) }},
	}
}
