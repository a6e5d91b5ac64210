package glcompute

import "inkshade/glcompute/expr"

// An expression says what becomes of the elements of tensors; see package expr, which takes them apart.
type (
	Expr       = expr.Expr
	Activation = expr.Activation // a nonlinearity: Tanh, ReLU or a function of one's own
	Function   = expr.Function   // an activation by its name
)

// ActivationNamed finds an activation by the name that files and flags know it by.
func ActivationNamed(name string) (Function, error) { return expr.FunctionNamed(name) }

// Leaves: operand number i of the operation, the same value everywhere, the new value of an earlier result of
// Program.Update, and the number of the column.
func Arg(i int) *Expr       { return expr.Arg(i) }
func Const(v float32) *Expr { return expr.Const(v) }
func NewValue(i int) *Expr  { return expr.NewValue(i) }
func ColumnIndex() *Expr    { return expr.ColumnIndex() }

// Arithmetic.
func Add(a, b *Expr) *Expr           { return expr.Add(a, b) }
func Sub(a, b *Expr) *Expr           { return expr.Sub(a, b) }
func Mul(a, b *Expr) *Expr           { return expr.Mul(a, b) }
func Div(a, b *Expr) *Expr           { return expr.Div(a, b) }
func Max(a, b *Expr) *Expr           { return expr.Max(a, b) }
func Min(a, b *Expr) *Expr           { return expr.Min(a, b) }
func Neg(x *Expr) *Expr              { return expr.Neg(x) }
func Abs(x *Expr) *Expr              { return expr.Abs(x) }
func Square(x *Expr) *Expr           { return expr.Square(x) }
func Sqrt(x *Expr) *Expr             { return expr.Sqrt(x) }
func Exp(x *Expr) *Expr              { return expr.Exp(x) }
func Log(x *Expr) *Expr              { return expr.Log(x) }
func Scale(s float32, x *Expr) *Expr { return expr.Scale(s, x) }

// Select is then where a > 0, and otherwise otherwise.
func Select(a, then, otherwise *Expr) *Expr { return expr.Select(a, then, otherwise) }

// Activations; ActivationNamed knows more.
func Identity(x *Expr) *Expr { return x }
func Tanh(x *Expr) *Expr     { return expr.Tanh(x) }
func Sigmoid(x *Expr) *Expr  { return expr.Sigmoid(x) }
func ReLU(x *Expr) *Expr     { return expr.ReLU(x) }
func GELU(x *Expr) *Expr     { return expr.GELU(x) }
