package onnx

import (
	"inkshade/glcompute"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/message"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// functionOperators are the nonlinearities that ONNX has an operator for. Others are written as
// their formulas.
var functionOperators = map[string]struct {
	op         string
	attributes []*onnxpb.AttributeProto
}{
	"tanh": {op: "Tanh"}, "sigmoid": {op: "Sigmoid"}, "relu": {op: "Relu"},
	"leaky-relu": {"LeakyRelu", []*onnxpb.AttributeProto{fraction("alpha", 0.01)}},
	"elu":        {"Elu", []*onnxpb.AttributeProto{fraction("alpha", 1)}},
}

// formulaOperators are those of the primitives of package expr.
var formulaOperators = map[expr.Kind]string{
	expr.OpAdd: "Add", expr.OpSub: "Sub", expr.OpMul: "Mul", expr.OpDiv: "Div", expr.OpMax: "Max", expr.OpMin: "Min",
	expr.OpExp: "Exp", expr.OpLog: "Log", expr.OpSqrt: "Sqrt", expr.OpTanh: "Tanh", expr.OpSigmoid: "Sigmoid", expr.OpSelect: "Where",
}

// function writes a nonlinearity of a value; what is its result's name.
func (w *writer) function(name, what, value string) string {
	if f, ok := functionOperators[name]; ok {
		return w.add(f.op, what, []string{value}, f.attributes...)
	}
	return w.formula(glcompute.Must(expr.FunctionNamed(name)).Of(expr.Arg(0)), what, []string{value})
}

// formula writes one primitive after another; the last gives what.
func (w *writer) formula(e *expr.Expr, what string, operands []string) string {
	op, parts := formulaOperators[e.Kind], e.Args
	switch {
	case e.Kind == expr.LeafOperand:
		return operands[e.Index]
	case e.Kind == expr.LeafConstant:
		return w.scalar(e.Value)
	case op == "":
		w.err = message.Errorf("its formula depends on more than its operands: %s", e.Key())
	case e.Kind == expr.OpSelect && expr.Erf(e.Args[0]).Key() == e.Key():
		op, parts = "Erf", e.Args[:1]
	}
	var inputs []string
	for i, a := range parts {
		name := w.formula(a, "part", operands)
		if op == "Where" && i == 0 {
			name = w.add("Greater", "part", []string{name, w.scalar(0)})
		}
		inputs = append(inputs, name)
	}
	return w.add(op, what, inputs)
}
