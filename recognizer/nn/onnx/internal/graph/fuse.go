package graph

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"inkshade/glcompute/expr"
)

// What bounds formulas that are made of several: their text, how many they are, and their operands, all of which
// a device reads at once.
const (
	longestFormula = 4096
	mostMerged     = 64
	mostOperands   = 6
)

// keySteps is what a letter of a formula costs in steps where all its parts are made again, each with its text.
const keySteps = 16

// fuse makes one formula of a formula and those that it alone reads, as of the pieces of a
// GELU, and drops nodes that do not lead to the output.
func (b *builder) fuse() {
	b.prune()
	readers, merged := b.Readers(), map[*Node]int{}
	for _, outer := range b.Nodes {
		if _, ok := outer.Operation.(Formula); !ok {
			continue
		}
		for i := 0; i < len(outer.Args); {
			inner := outer.Args[i].From
			if inner == nil || readers[inner.Out] > 1 || merged[outer]+merged[inner] >= mostMerged || b.Lines && Masks(outer) || !fusible(outer, i, inner, readers) {
				i++
				continue
			}
			f := outer.Operation.(Formula)
			e := f.Replace(expr.Arg(i), inner.Operation.(Formula).Map(func(leaf *expr.Expr) *expr.Expr {
				if leaf.Kind == expr.LeafOperand {
					return expr.Arg(len(outer.Args) + leaf.Index)
				}
				return leaf
			}))
			for _, a := range inner.Args {
				if slices.Contains(outer.Args, a) {
					readers[a]--
				}
			}
			e, outer.Args = plain(e, append(slices.Clone(outer.Args), inner.Args...))
			outer.Operation, inner.Operation = Formula{e}, nil
			merged[outer] += merged[inner] + 1
			b.spend(0, len(e.Key())*keySteps)
			i = 0
		}
	}
	b.prune()
}

// Masks tells whether a picture is multiplied by a number for each of its columns.
func Masks(n *Node) bool {
	f, ok := n.Operation.(Formula)
	if !ok || f.Key() != expr.Mul(expr.Arg(0), expr.Arg(1)).Key() || n.Args[0].Constant() || n.Args[1].Constant() {
		return false
	}
	a, b := n.Args[0].Dims, n.Args[1].Dims
	return len(a) == 4 && len(b) == 4 && b[1] == 1 && b[2] == 1 && b[3] == a[3]
}

// fusible reports whether a formula can become part of the one that reads it as its operand i.
// What the maker of its own operand can take in stays apart: a nonlinearity, or a scale
// and shift, of what nothing else reads. So do constants of many values.
func fusible(outer *Node, i int, inner *Node, readers map[*Value]int) bool {
	f, ok := inner.Operation.(Formula)
	if !ok || slices.ContainsFunc(inner.Args, (*Value).Constant) || len(outer.Args)+len(inner.Args)-1 > mostOperands {
		return false
	}
	if len(inner.Args) == 1 && readers[inner.Args[0]] == 1 && (FunctionOf(f.Expr) != "" || Affine(f.Expr, 0)) {
		return false
	}
	key := outer.Operation.(Formula).Key()
	return len(key)+strings.Count(key, "a"+strconv.Itoa(i))*len(f.Key()) <= longestFormula
}

// FunctionOf finds the name of a nonlinearity that a formula of one operand is, however it was
// put together: by its values from 1/1000 to 1000 on either side. "" is none.
func FunctionOf(e *expr.Expr) string {
	if e.Uses(1) {
		return ""
	}
	for _, f := range expr.Functions {
		if same(e, f.Of(expr.Arg(0))) {
			return f.Name
		}
	}
	return ""
}

func same(a, b *expr.Expr) bool {
	if a.Key() == b.Key() {
		return true
	}
	v := &expr.Values{Args: make([]float64, 1)}
	for i := range 64 {
		v.Args[0] = math.Pow(10, float64(i/2)*6/31-3) * float64(1-i%2*2)
		x, y := a.Evaluate(v), b.Evaluate(v)
		if !(math.Abs(x-y) <= 1e-6*(math.Abs(y)+1e-3)) {
			return false
		}
	}
	return true
}

// Affine reports whether a formula is a·x + b in its operand i, with a and b of the others. (One
// with a constant derivative may also have steps.)
func Affine(e *expr.Expr, i int) bool {
	if !e.Uses(i) || e.Kind == expr.LeafOperand {
		return true
	}
	switch e.Kind {
	case expr.OpAdd, expr.OpSub:
		return Affine(e.Args[0], i) && Affine(e.Args[1], i)
	case expr.OpMul:
		return !e.Args[0].Uses(i) && Affine(e.Args[1], i) || !e.Args[1].Uses(i) && Affine(e.Args[0], i)
	case expr.OpDiv:
		return !e.Args[1].Uses(i) && Affine(e.Args[0], i)
	}
	return false
}

// Readers counts the nodes that read each value; the output has one more.
func (g *Graph) Readers() map[*Value]int {
	readers := map[*Value]int{g.Output: 1}
	for _, n := range g.Nodes {
		seen := map[*Value]bool{}
		for _, a := range n.Args {
			if !seen[a] {
				seen[a] = true
				readers[a]++
			}
		}
	}
	return readers
}

// prune drops nodes that do not lead to the output.
func (g *Graph) prune() {
	needed := map[*Value]bool{g.Output: true}
	for _, n := range slices.Backward(g.Nodes) {
		if needed[n.Out] {
			for _, a := range n.Args {
				needed[a] = true
			}
		}
	}
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n *Node) bool { return !needed[n.Out] })
}
