package nn

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// words are those of a line of a file of layers that have not been taken yet. The first error
// stays, and what is taken after it does not count.
type words struct {
	left []string
	err  error
}

func (w *words) fail(format string, args ...any) {
	if w.err == nil {
		w.err = message.Errorf(format, args...)
	}
}

// must takes the next word.
func (w *words) must(what string) string {
	if len(w.left) == 0 {
		w.fail("%s is missing", what)
		return ""
	}
	word := w.left[0]
	w.left = w.left[1:]
	return word
}

// largestCount bounds every number of a file of layers.
const largestCount = 1 << 20

// count takes a number of at least 1.
func (w *words) count(what string) int { return w.whole(what, w.must(what), 1) }

func (w *words) whole(what, word string, least int) int {
	n, err := strconv.Atoi(word)
	if w.err == nil && (err != nil || n < least || n > largestCount) {
		w.fail("%s is %.60q, want a whole number from %d to %d", what, word, least, largestCount)
		return least
	}
	return n
}

// fraction is a number from 0 to below 1.
func (w *words) fraction(what, word string) float64 {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x >= 0 && x < 1) {
		w.fail("%s is %.60q, want a number from 0 to below 1", what, word)
	}
	return x
}

// either takes one of two words and reports whether it was the first.
func (w *words) either(yes, no string) bool {
	word := w.must(yes + " or " + no)
	if word != yes && word != no {
		w.fail("%.60q is neither %s nor %s", word, yes, no)
	}
	return word == yes
}

// flag takes a word wherever it stands and reports whether it was there.
func (w *words) flag(name string) bool {
	i := slices.Index(w.left, name)
	if i >= 0 {
		w.left = slices.Delete(slices.Clone(w.left), i, i+1)
	}
	return i >= 0
}

// option takes a word with the one after it wherever they stand; "" where there are none.
func (w *words) option(name string) string {
	i := slices.Index(w.left, name)
	if i < 0 {
		return ""
	}
	if i+1 == len(w.left) {
		w.fail("a value is missing after %s", name)
		return ""
	}
	value := w.left[i+1]
	w.left = slices.Delete(slices.Clone(w.left), i, i+2)
	return value
}

// function takes the name of a nonlinearity, if one is next.
func (w *words) function() string {
	if len(w.left) == 0 {
		return ""
	}
	if _, err := glcompute.ActivationNamed(w.left[0]); err != nil {
		w.fail("%w", err)
		return ""
	}
	return w.must("")
}

// shape takes numbers like 28x28x1, or one for a vector.
func (w *words) shape() Shape {
	word := w.must("the shape")
	n := w.numbers("the shape", word, "x", 1)
	switch len(n) {
	case 1:
		return Vector(n[0])
	case 3:
		return Shape{n[0], n[1], n[2]}
	}
	w.fail("the shape is %.60q, want HEIGHTxWIDTHxCHANNELS or a number of values", word)
	return Shape{}
}

// numbers are whole numbers with separators between.
func (w *words) numbers(what, word, separator string, least int) []int {
	var all []int
	for _, part := range strings.Split(word, separator) {
		all = append(all, w.whole(what, part, least))
	}
	return all
}

// pair is 2 or 2x3.
func (w *words) pair(what, word string, least int) (y, x int) {
	n := w.numbers(what, word, "x", least)
	if len(n) > 2 {
		w.fail("%s is %.60q, want a number or HEIGHTxWIDTH", what, word)
	}
	return n[0], n[min(1, len(n)-1)]
}

// window takes the kernel, like 5x5 or 2, and the options stride, padding and dilation. A stride
// of 0 stands for that of the kernel.
func (w *words) window(stride int) glcompute.Window {
	var k glcompute.Window
	k.KernelHeight, k.KernelWidth = w.pair("the window", w.must("the window"), 1)
	if k.StrideY, k.StrideX = stride, stride; stride == 0 {
		k.StrideY, k.StrideX = k.KernelHeight, k.KernelWidth
	}
	if s := w.option("stride"); s != "" {
		k.StrideY, k.StrideX = w.pair("the stride", s, 1)
	}
	k.DilationY, k.DilationX = 1, 1
	if s := w.option("dilation"); s != "" {
		k.DilationY, k.DilationX = w.pair("the dilation", s, 1)
	}
	switch s := w.option("padding"); {
	case s == "same":
		y, x := k.DilationY*(k.KernelHeight-1), k.DilationX*(k.KernelWidth-1)
		k.Top, k.Left, k.Bottom, k.Right = y/2, x/2, y-y/2, x-x/2
	case strings.Contains(s, ","):
		n := w.numbers("the padding", s, ",", 0)
		if len(n) != 4 {
			w.fail("the padding is %.60q, want TOP,LEFT,BOTTOM,RIGHT", s)
			break
		}
		k.Top, k.Left, k.Bottom, k.Right = n[0], n[1], n[2], n[3]
	case s != "":
		y, x := w.pair("the padding", s, 0)
		k.Top, k.Left, k.Bottom, k.Right = y, x, y, x
	}
	return k
}

// end reports what went wrong, or that something is left.
func (w *words) end() error {
	if w.err == nil && len(w.left) > 0 {
		w.fail("%.60q is not understood", strings.Join(w.left, " "))
	}
	return w.err
}

// over is a window on an image of that shape.
func over(w glcompute.Window, in Shape) glcompute.Window {
	w.Height, w.Width = in.Height, in.Width
	return w
}

// windowed is the shape of what is made through a window.
func windowed(w glcompute.Window, in Shape, channels int) (Shape, error) {
	w = over(w, in)
	if err := cmp.Or(w.Check(), wrong(w.KernelHeight > mostValues/max(w.KernelWidth, 1), "a window of %d x %d is too large", w.KernelHeight, w.KernelWidth)); err != nil {
		return Shape{}, err
	}
	height, width := w.Output()
	return Shape{height, width, channels}, nil
}

// windowWords is a window as a file of layers has it: "5x5 stride 2 padding 1". stride and
// what else is as usual is left out.
func windowWords(w glcompute.Window, stride int) string {
	words := []string{fmt.Sprintf("%dx%d", w.KernelHeight, w.KernelWidth)}
	if y, x := max(w.StrideY, 1), max(w.StrideX, 1); y != stride || x != stride {
		words = append(words, "stride "+pair(y, x))
	}
	switch {
	case w.Top == w.Bottom && w.Left == w.Right && w.Top+w.Left > 0:
		words = append(words, "padding "+pair(w.Top, w.Left))
	case w.Top+w.Left+w.Bottom+w.Right > 0:
		words = append(words, fmt.Sprintf("padding %d,%d,%d,%d", w.Top, w.Left, w.Bottom, w.Right))
	}
	if y, x := max(w.DilationY, 1), max(w.DilationX, 1); y > 1 || x > 1 {
		words = append(words, "dilation "+pair(y, x))
	}
	return strings.Join(words, " ")
}

// pair is "2" for two equal numbers and else "2x3".
func pair(y, x int) string {
	if y == x {
		return fmt.Sprint(y)
	}
	return fmt.Sprintf("%dx%d", y, x)
}
