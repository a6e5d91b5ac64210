package widget

import (
	"image"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inkshade/app/ui/uitest"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

func shownPad(t *testing.T) *Pad {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	p := NewPad()
	w := test.NewTempWindow(t, p)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 400))
	w.Canvas().Capture()
	return p
}

// inked counts pixels of the pad that are more than half ink.
func inked(p *Pad) int {
	n := 0
	for i := 3; i < len(p.sheet.img.Pix); i += 4 {
		if p.sheet.img.Pix[i] > 127 {
			n++
		}
	}
	return n
}

func TestClickLeavesADot(t *testing.T) {
	p := shownPad(t)
	p.MouseDown(uitest.Mouse(200, 200, desktop.MouseButtonPrimary))
	p.MouseUp(uitest.Mouse(200, 200, desktop.MouseButtonPrimary))
	if len(p.History.Now) != 1 || len(p.History.Now[0]) != 1 {
		t.Fatalf("a click gave %v", p.History.Now)
	}
	radius := penRadius * 400 / pageSide
	want := 3.14159 * radius * radius
	if got := float64(inked(p)); got < 0.9*want || got > 1.1*want {
		t.Errorf("the dot has %v pixels, want about %.0f", got, want)
	}
}

func TestStrokeTakesEveryPointAndEndsOnce(t *testing.T) {
	p := shownPad(t)
	changes, lifts := 0, 0
	p.OnInk = func(c InkChange) {
		changes++
		if c.Lifted {
			lifts++
		}
	}
	uitest.Stroke(p, uitest.Seven...)
	if len(p.History.Now) != 1 {
		t.Fatalf("%d strokes, want 1", len(p.History.Now))
	}
	// The first point, the move below the drag threshold, and four drags.
	if got := len(p.History.Now[0]); got != 6 {
		t.Errorf("the stroke has %d points, want 6", got)
	}
	if first := p.History.Now[0][0]; first.X != -200 || first.Y != -250 || first.T != 0 {
		t.Errorf("first point %+v, want (-200, -250) in page units at 0 ms", first)
	}
	if lifts != 1 || changes != 7 {
		t.Errorf("%d changes, %d lifts; want 7 and 1", changes, lifts)
	}
}

func TestStrokeReleasedElsewhereEndsByDragEnd(t *testing.T) {
	p := shownPad(t)
	p.MouseDown(uitest.Mouse(100, 100, desktop.MouseButtonPrimary))
	e := &fyne.DragEvent{}
	e.Position = fyne.NewPos(-30, 120)
	p.Dragged(e)
	p.DragEnd()
	if p.Live != nil || len(p.History.Now) != 1 {
		t.Errorf("stroke not finished: live %v, strokes %d", p.Live, len(p.History.Now))
	}
}

func TestSecondaryButtonNeitherDrawsNorEndsAStroke(t *testing.T) {
	p := shownPad(t)
	p.MouseDown(uitest.Mouse(100, 100, desktop.MouseButtonSecondary))
	p.MouseMoved(uitest.Mouse(140, 100, desktop.MouseButtonSecondary))
	p.MouseUp(uitest.Mouse(140, 100, desktop.MouseButtonSecondary))
	if len(p.History.Now) != 0 || p.Live != nil {
		t.Fatal("the secondary button drew")
	}
	p.MouseDown(uitest.Mouse(100, 100, desktop.MouseButtonPrimary))
	drag := func(x, y float32) {
		e := &fyne.DragEvent{}
		e.Position = fyne.NewPos(x, y)
		p.Dragged(e)
	}
	drag(150, 100)
	p.MouseDown(uitest.Mouse(150, 100, desktop.MouseButtonSecondary))
	p.MouseUp(uitest.Mouse(150, 100, desktop.MouseButtonSecondary))
	p.DragEnd()
	drag(200, 100)
	p.MouseUp(uitest.Mouse(200, 100, desktop.MouseButtonPrimary))
	p.DragEnd()
	if len(p.History.Now) != 1 || len(p.History.Now[0]) != 3 {
		t.Errorf("want one stroke of three points, got %v", p.History.Now)
	}
}

func TestStrokeBeginsWhereThePointerWasSeen(t *testing.T) {
	p := shownPad(t)
	p.MouseIn(uitest.Mouse(100, 300, 0))
	p.MouseDown(uitest.Mouse(200, 100, desktop.MouseButtonPrimary)) // told late
	p.MouseMoved(uitest.Mouse(100, 200, desktop.MouseButtonPrimary))
	p.MouseUp(uitest.Mouse(100, 200, desktop.MouseButtonPrimary))
	if k := p.History.Now; len(k) != 1 || len(k[0]) != 2 || k[0][0].X != k[0][1].X {
		t.Errorf("a line straight up is %v", k)
	}
}

func TestHeldKeyDrawsWithoutButton(t *testing.T) {
	p := shownPad(t)
	p.KeyPen(true)
	if p.Live != nil {
		t.Fatal("drew while the pointer was elsewhere")
	}
	p.MouseIn(uitest.Mouse(100, 100, 0))
	p.KeyPen(true)
	p.MouseMoved(uitest.Mouse(160, 110, 0))
	p.MouseMoved(uitest.Mouse(220, 130, 0))
	p.KeyPen(false)
	p.MouseMoved(uitest.Mouse(300, 300, 0))
	if len(p.History.Now) != 1 || len(p.History.Now[0]) != 3 {
		t.Fatalf("want one stroke of three points, got %v", p.History.Now)
	}
	p.KeyPen(true)
	p.MouseMoved(uitest.Mouse(320, 300, 0))
	p.MouseOut()
	if p.Live != nil || len(p.History.Now) != 2 {
		t.Error("leaving the pad did not end the stroke")
	}
}

func TestUndoRedoClear(t *testing.T) {
	p := shownPad(t)
	var can [3]bool
	p.OnHistory = func() { can = [3]bool{len(p.History.Past) > 0, len(p.History.Future) > 0, len(p.History.Now) > 0} }
	count := func(want int) {
		t.Helper()
		if got := len(p.History.Now); got != want {
			t.Fatalf("%d strokes, want %d", got, want)
		}
	}
	uitest.Stroke(p, uitest.Seven...)
	uitest.Stroke(p, uitest.Dash...)
	count(2)
	p.Undo()
	count(1)
	if can != [3]bool{true, true, true} {
		t.Errorf("after undo: %v", can)
	}
	p.Redo()
	count(2)
	p.Clear()
	count(0)
	if can != [3]bool{true, false, false} {
		t.Errorf("after clear: %v", can)
	}
	p.Clear()
	p.Undo()
	count(2)
	p.Undo()
	p.Undo()
	p.Undo()
	count(0)
	uitest.Stroke(p, uitest.Dash...)
	count(1)
	p.Redo()
	count(1)
}

// What is stamped point by point while drawing must be what is stamped anew later, or ink
// would change its look on undo and when the window is resized.
func TestLiveInkEqualsInkDrawnAnew(t *testing.T) {
	p := shownPad(t)
	uitest.Stroke(p, uitest.Seven...)
	uitest.Stroke(p, uitest.Dash...)
	live := image.NewRGBA(p.sheet.img.Rect)
	copy(live.Pix, p.sheet.img.Pix)
	if inked(p) < 1000 {
		t.Fatalf("only %d pixels are ink", inked(p))
	}
	p.stale = true
	again := p.paint(400, 400).(*image.RGBA)
	if again.Stride != 4*400 {
		t.Errorf("stride %d: the painter needs tightly packed pixels", again.Stride)
	}
	for i := range live.Pix {
		if live.Pix[i] != again.Pix[i] {
			t.Fatalf("byte %d: drawn live %d, drawn anew %d", i, live.Pix[i], again.Pix[i])
		}
	}
}

func TestDrawingKeepsItsPlaceWhenThePadGrows(t *testing.T) {
	p := shownPad(t)
	uitest.Stroke(p, uitest.Seven...)
	before := inked(p)
	p.paint(800, 800)
	if ratio := float64(inked(p)) / float64(before); ratio < 3.9 || ratio > 4.1 {
		t.Errorf("twice the size has %.2f times the ink, want 4", ratio)
	}
}

// A day of drawings does not fill the memory with what can be undone.
func TestUndoHasAnEnd(t *testing.T) {
	var h history
	for range undoable + 5 {
		h.add(ink.Stroke{{X: 1}})
		h.clear()
	}
	if len(h.Past) != undoable {
		t.Fatalf("%d changes can be undone", len(h.Past))
	}
	for range undoable {
		if !h.Undo() {
			t.Fatal("a change cannot be undone")
		}
	}
	if h.Undo() || len(h.Future) != undoable {
		t.Errorf("%d changes can be redone", len(h.Future))
	}
}

// The secondary button takes away the strokes that it touches, and so does the pen that is an eraser; undo brings them back.
func TestStrokesAreErased(t *testing.T) {
	p := shownPad(t)
	draw := func(x float32) { uitest.Stroke(p, fyne.NewPos(x, 100), fyne.NewPos(x, 300)) }
	for _, x := range []float32{100, 200, 300} {
		draw(x)
	}
	stand := func(want ...float64) {
		t.Helper()
		if len(p.Drawing()) != len(want) {
			t.Fatalf("%d strokes, want %d", len(p.Drawing()), len(want))
		}
		for i, s := range p.Drawing() {
			if s[0].X != want[i] {
				t.Errorf("stroke %d is at %g", i, s[0].X)
			}
		}
	}
	at := func(i int) line.Fixed { return line.Fixed{Parts: []line.Part{{Stroke: i, Last: 2}}, Label: "1"} }
	p.Fix([]line.Fixed{at(0), at(2)})
	p.MouseMoved(uitest.Mouse(150, 200, desktop.MouseButtonSecondary))
	p.MouseDown(uitest.Mouse(150, 200, desktop.MouseButtonSecondary))
	stand(-250, 0, 250)
	p.MouseMoved(uitest.Mouse(105, 200, desktop.MouseButtonSecondary))
	stand(0, 250)
	p.MouseUp(uitest.Mouse(105, 200, desktop.MouseButtonSecondary))
	if f := p.History.Fixed; len(f) != 1 || f[0].Parts[0].Stroke != 1 {
		t.Errorf("what was said is %+v", f)
	}
	p.MouseMoved(uitest.Mouse(200, 200, 0))
	stand(0, 250)
	p.Undo()
	stand(-250, 0, 250)
	if len(p.History.Fixed) != 2 {
		t.Errorf("what was said is %+v after undo", p.History.Fixed)
	}
	p.Tool = Erases
	uitest.Stroke(p, fyne.NewPos(50, 200), fyne.NewPos(210, 200))
	stand(250)
	p.Tool = Draws
	draw(100)
	stand(250, -250)
}

func TestStrokesAreSelectedMovedAndDeleted(t *testing.T) {
	p := shownPad(t)
	uitest.Stroke(p, fyne.NewPos(100, 100), fyne.NewPos(120, 140), fyne.NewPos(140, 180))
	uitest.Stroke(p, fyne.NewPos(300, 100), fyne.NewPos(310, 140), fyne.NewPos(320, 180))
	before := p.History.Now
	changes := 0
	p.OnInk = func(InkChange) { changes++ }
	p.Tool = Selects
	uitest.Stroke(p, fyne.NewPos(80, 80), fyne.NewPos(120, 150), fyne.NewPos(160, 200)) // around the first
	if !slices.Equal(p.selection.strokes, []int{0}) || !p.View.Frame.Visible() || changes > 0 {
		t.Fatalf("strokes %v selected, %d changes; want the first and none", p.selection.strokes, changes)
	}
	p.Deselect()
	uitest.Stroke(p, fyne.NewPos(70, 140), fyne.NewPos(120, 70), fyne.NewPos(180, 140), fyne.NewPos(120, 210), fyne.NewPos(80, 150)) // once around it
	if !slices.Equal(p.selection.strokes, []int{0}) {
		t.Fatalf("strokes %v lie within a circle; want the first", p.selection.strokes)
	}
	uitest.Stroke(p, fyne.NewPos(120, 140), fyne.NewPos(130, 150), fyne.NewPos(140, 180))
	now := p.History.Now
	if changes != 1 || now[0][0].X != before[0][0].X+50 || now[0][0].Y != before[0][0].Y+100 || !slices.Equal(now[1], before[1]) {
		t.Fatalf("moved by 20 and 40 of 400: %d changes, %v from %v", changes, now, before)
	}
	p.Undo()
	if !SameInk(p.History.Now, before) || p.View.Frame.Visible() {
		t.Fatal("undo does not bring the strokes back where they were, or leaves a frame")
	}
	uitest.Stroke(p, fyne.NewPos(80, 80), fyne.NewPos(120, 150), fyne.NewPos(160, 200))
	p.MouseMoved(uitest.Mouse(120, 140, 0))
	p.MouseDown(uitest.Mouse(120, 140, desktop.MouseButtonPrimary))
	p.MouseMoved(uitest.Mouse(140, 180, 0))
	p.Undo() // the pen is still down
	p.MouseMoved(uitest.Mouse(150, 190, 0))
	p.MouseUp(uitest.Mouse(150, 190, desktop.MouseButtonPrimary))
	if !SameInk(p.History.Now, before) {
		t.Fatalf("undone while the pen moves them the strokes are %v, want %v", p.History.Now, before)
	}
	p.MouseMoved(uitest.Mouse(310, 140, 0))
	p.MouseDown(uitest.Mouse(310, 140, desktop.MouseButtonPrimary))
	p.MouseUp(uitest.Mouse(310, 140, desktop.MouseButtonPrimary)) // a click on the second
	if !p.EraseSelected() || !SameInk(p.History.Now, before[:1]) || p.EraseSelected() {
		t.Fatalf("a click on a stroke and Delete leave %v", p.History.Now)
	}
}

// Strokes that are selected may go in any way, and their frame with them.
func TestSelectedStrokesMayGo(t *testing.T) {
	for what, goes := range map[string]func(p *Pad){
		"undo": (*Pad).Undo, "clear": (*Pad).Clear, "forget": (*Pad).Forget,
		"another drawing": func(p *Pad) { p.Take(ink.Ink{{{X: 1, Y: 1}}}, nil) },
		"the next": func(p *Pad) {
			p.SetDone(true)
			p.Tool = Draws
			uitest.Stroke(p, fyne.NewPos(200, 200), fyne.NewPos(220, 240))
		},
	} {
		p := shownPad(t)
		uitest.Stroke(p, fyne.NewPos(100, 100), fyne.NewPos(120, 140), fyne.NewPos(140, 180))
		uitest.Stroke(p, fyne.NewPos(300, 100), fyne.NewPos(310, 140), fyne.NewPos(320, 180))
		p.Tool = Selects
		uitest.Stroke(p, fyne.NewPos(80, 80), fyne.NewPos(200, 150), fyne.NewPos(340, 200))
		if len(p.selection.strokes) != 2 {
			t.Fatalf("%s: strokes %v are selected", what, p.selection.strokes)
		}
		if goes(p); len(p.selection.strokes) > 0 || p.View.Frame.Visible() {
			t.Errorf("%s: strokes %v are selected still", what, p.selection.strokes)
		}
	}
}
