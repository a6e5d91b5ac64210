package models

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// testStage is the Models page alone in a window.
type testStage struct {
	*pagetest.Stage
	models *Page
}

// onModels opens the Models page with models of its own.
func onModels(t *testing.T, dir string) *testStage {
	t.Helper()
	s := &testStage{Stage: pagetest.Open(t, &uitest.Engine{})}
	s.Keep(dir)
	s.models = New(s.Frame)
	s.Show(s.models.Tab())
	s.OpenBook(dir)
	s.Until("model", func() bool { return s.Status.Model != "" })
	s.Until("models", func() bool { return len(s.models.entries) > 1 && s.models.entry() != nil })
	s.read()
	s.Win.Canvas().Capture()
	return s
}

// read waits until the model that is open was read.
func (s *testStage) read() {
	s.T.Helper()
	s.Until("what is inside", func() bool { return s.models.inside.of == s.models.entry().known })
}

func (s *testStage) named(name string) *modelEntry {
	i := slices.IndexFunc(s.models.entries, func(e *modelEntry) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return s.models.entries[i]
}

func (s *testStage) key(name fyne.KeyName) {
	s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
}

// onList checks that the list got the focus from a button that went.
func (s *testStage) onList(button string) {
	s.T.Helper()
	if f := s.Win.Canvas().Focused(); f != fyne.Focusable(s.models.list) {
		s.T.Errorf("after %s the focus is on %T", button, f)
	}
}

func TestModelsAreShown(t *testing.T) {
	s := onModels(t, pagetest.Filled(t, map[string]int{"7": 3, "1": 2}))
	e := s.models.entry()
	if at := s.named("chinese-cnn"); s.models.title(at) != "Chinese" || language.ModelName(at.Base) != "Chinese" {
		t.Errorf("the page calls %s what the menu calls %s", s.models.title(at), language.ModelName(at.Base))
	}
	if e.Name != "digits-mlp" || !s.models.inUse(e) || s.models.head.use.Visible() || s.models.head.remove.Visible() {
		t.Errorf("%s is open, in use %v", e.Name, s.models.inUse(e))
	}
	lines := e.words()
	for i, said := range [][]string{1: {"10", "0 1 2 3 4 5 6 7 8 9"}, 2: {"830760"}, 3: {"0.789", "7736"}} {
		for _, what := range said {
			if !strings.Contains(lines[i], what) {
				t.Errorf("line %d of its card says %q, without %s", i, lines[i], what)
			}
		}
	}
	s.Until("its time", func() bool { return s.named("characters-mlp").time > 0 && e.time > 0 })
	s.models.show("characters-mlp")
	if h := s.models.head; !h.use.Visible() || !strings.Contains(h.words.Text, seesWords(feature.GradientPen)) {
		t.Errorf("of the other it says %q", h.words.Text)
	}
	s.models.head.use.Tapped(nil)
	s.Until("in use", func() bool {
		return s.Status.Model == "characters-mlp" && s.models.inUse(s.named("characters-mlp"))
	})
	if got := s.Collection.Chosen[page.ModelChoice]; got != "characters-mlp" {
		t.Errorf("remembered is %q", got)
	}
}

// The box of the layer that the arrow keys choose is seen, and with another model the first ones are.
func TestChosenLayerIsSeen(t *testing.T) {
	s := onModels(t, pagetest.Filled(t, map[string]int{"7": 1}))
	s.models.show("digits-cnn")
	s.read()
	v := s.models.inside
	for _, key := range []fyne.KeyName{fyne.KeyRight, fyne.KeyLeft} {
		for i := range v.strip.texts {
			v.strip.TypedKey(&fyne.KeyEvent{Name: key})
			from, to := v.strip.box()
			if left := v.scroll.Offset.X; from < left || to > left+v.scroll.Size().Width || to <= from {
				t.Fatalf("%s %d: the box from %v to %v is not in the %v from %v on", key, i, from, to, v.scroll.Size().Width, left)
			}
		}
		if key == fyne.KeyRight && v.scroll.Offset.X == 0 {
			t.Error("the row was not scrolled")
		}
	}
	v.scroll.ScrollToOffset(fyne.NewPos(900, 0))
	s.models.show("digits-mlp")
	s.read()
	if v.scroll.Offset.X != 0 {
		t.Errorf("another model begins at %v", v.scroll.Offset.X)
	}
}

func TestLookingInsideFollowsThePen(t *testing.T) {
	s := onModels(t, pagetest.Filled(t, map[string]int{"7": 3, "1": 2}))
	s.Until("memory", func() bool { return s.Book != nil })
	v := s.models.inside
	if v.nothing.Hidden || v.strip.texts[1] != [3]string{"1  dense 800 relu", "800", "628000 parameters"} {
		t.Errorf("on blank paper the layers are %q", v.strip.texts)
	}
	if !strings.Contains(v.ofWeights.Text, "800") || !strings.Contains(v.ofWeights.Text, "28x28") || len(v.weights.all) != 800 {
		t.Errorf("of the weights it says %q", v.ofWeights.Text)
	}
	w := s.models.inside.model.Network.Layers[0].Values[0]
	if got := v.weights.all[2].values[30]; got != w[30*800+2] {
		t.Errorf("the weight of unit 3 for pixel 31 is shown as %v, want %v", got, w[30*800+2])
	}
	var points []fyne.Position
	for _, q := range uitest.Seven {
		points = append(points, fyne.NewPos(q.X/360*v.pad.Size().Width, q.Y/360*v.pad.Size().Height))
	}
	uitest.Stroke(v.pad, points...)
	s.Until("the answer", func() bool { return v.seen != nil && v.rows[0].name.Text == "7" })
	if !strings.Contains(v.ofValues.Text, "800") || v.ofHeat.Text != heatWords("7", v.seen.heat) {
		t.Errorf("it says %q and %q", v.ofValues.Text, v.ofHeat.Text)
	}
	if !strings.Contains(v.rows[0].distance.Text, language.Number("%.2f", v.seen.near["7"].Distance)) || !v.rows[0].drawing.Visible() {
		t.Errorf("the nearest drawing is %q", v.rows[0].distance.Text)
	}
	if len(s.Paper.Drawing()) != 1 {
		t.Error("the drawing is not on the paper of the Draw page")
	}
	s.Answered("1") // of one stroke, by the engine
	s.Until("the time on the GPU", func() bool {
		gpu := s.models.entry().gpu
		return gpu > 0 && strings.Contains(s.models.head.words.Text, language.Duration(gpu))
	})

	v.strip.MouseDown(uitest.Mouse(v.strip.boxes.Objects[3].Position().X+5, 10, 0))
	if v.layer != 2 || !strings.HasSuffix(v.ofValues.Text, " 7") || !strings.Contains(v.ofWeights.Text, " 10 × ") {
		t.Errorf("layer %d says %q, %q", v.layer+1, v.ofValues.Text, v.ofWeights.Text)
	}
	for range 3 {
		v.strip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	}
	if v.layer != -1 || !strings.HasPrefix(v.ofValues.Text, "Input: ") || len(v.weights.all) != 0 {
		t.Errorf("the input says %q", v.ofValues.Text)
	}
	s.Undo()
	if v.seen != nil || v.heat.all != nil || len(s.Paper.Drawing()) != 0 {
		t.Error("undone, the drawing is still looked at")
	}
}

// Of a long list the models are read whose cards are seen, and what is inside of one alone is kept.
func TestALongListReadsWhatIsSeen(t *testing.T) {
	const count = 400
	dir := t.TempDir()
	var file bytes.Buffer
	if err := errors.Join(onnx.Write(&file, pagetest.SmallModel("7")), os.MkdirAll(filepath.Join(dir, "models"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for i := range count {
		if err := os.WriteFile(filepath.Join(dir, "models", fmt.Sprintf("mine-%03d.onnx", i)), file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := onModels(t, dir)
	idle := func() bool { return !s.models.reading && len(s.models.wanted) == 0 }
	read := func() (n int) {
		for _, e := range s.models.entries {
			if e.facts != nil {
				n++
			}
		}
		return n
	}
	s.Until("what is seen", idle)
	if n := read(); len(s.models.entries) != count+len(models.Names())+1 || n == 0 || n > 20 {
		t.Errorf("of %d models %d were read", len(s.models.entries), n)
	}
	last := s.named(fmt.Sprintf("mine-%03d", count-1))
	if got := last.words(); got[0] == "" || got != [5]string{got[0]} || last.facts != nil {
		t.Errorf("of one that is not seen its card would say %q", got)
	}
	s.models.list.ScrollToBottom()
	s.Until("the last one", func() bool { return idle() && last.time > 0 })
	if got := last.words(); !strings.Contains(got[1], "3") || read() > 40 {
		t.Errorf("once it is seen its card says %q; %d were read", got, read())
	}
	s.models.refresh()
	before := last.known
	s.Until("the same again", func() bool { return s.named(last.Name) != last && idle() })
	if s.named(last.Name).known != before {
		t.Error("what is known of it is found out twice")
	}
}

// Models whose names differ at their ends can be told apart in a small window, and the one that is open has its whole name.
func TestLongNamesOfModelsCanBeToldApart(t *testing.T) {
	dir := t.TempDir()
	l, err := state.OpenModels(dir)
	if err != nil {
		t.Fatal(err)
	}
	const name = "handwriting-of-the-whole-school-in-one-model-trained-for-days-"
	if err := errors.Join(l.AddModel(name+"1", pagetest.SmallModel("7")).Do(), l.AddModel(name+"2", pagetest.SmallModel("7")).Do()); err != nil {
		t.Fatal(err)
	}
	s := onModels(t, dir)
	s.Win.Resize(uitest.Sizes[0])
	s.models.show(name + "2")
	if words := s.models.head.words; !strings.HasPrefix(words.Text, name+"2 · ") {
		t.Errorf("of the open one it says %q", words.Text)
	}
	s.Win.Resize(fyne.NewSize(2000, 900))
	if h := s.models.head; h.title.Hidden || h.words.Text == "" || strings.Contains(h.words.Text, name) {
		t.Errorf("with room it says %q under its name", h.words.Text)
	}
	card := widget.NewListCard(widget.ColorCard, 8, 8, 5)
	s.models.fill(card, s.named(name+"1"))
	if got := card.Title.Wrap(180)[0]; !strings.HasSuffix(got, "-1") {
		t.Errorf("a card says %q", got)
	}
}

// Where the data folder cannot be one, the models that ship are there all the same.
func TestShippedModelsNeedNoDataFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &testStage{Stage: pagetest.Open(t, &uitest.Engine{})}
	s.Keep(file)
	s.models = New(s.Frame)
	s.Show(s.models.Tab())
	s.Until("the models that ship", func() bool { return len(s.models.entries) == len(models.Names())+1 }) // and that of lines
}

// A file whose preprocessing nobody knows says what can be done about it here.
func TestAnUnknownPreprocessingIsOverruledByTheScale(t *testing.T) {
	s := onModels(t, t.TempDir())
	d := s.models.openFile(pagetest.ModelFile(t, "sonar.onnx", "sonar"))
	s.Until("a reason", func() bool { return d.model == nil && strings.Contains(d.words.Text, "sonar") })
	d.scale.SetSelected("0..1")
	s.Until("another input", func() bool { return !d.keep.Disabled() })
}

func TestAModelIsOpenedFedRenamedAndRemoved(t *testing.T) {
	s := onModels(t, t.TempDir())
	d := s.models.openFile(pagetest.ModelFile(t, "mine.onnx", ""))
	d.scale.SetSelected("0..255")
	s.Until("what the network sees", func() bool {
		return d.model != nil && inputformat.Scale(d.model).Ink == 255
	})
	if got := d.span.Text; !strings.Contains(got, "255") || !strings.Contains(d.answer.Text, " %") || len(d.seen.all) != 1 {
		t.Errorf("it says %q, %q", d.answer.Text, got)
	}
	d.labels.SetText("a b c")
	s.Until("other labels", func() bool { return d.model != nil && d.model.Labels[2] == "c" })
	d.labels.SetText("a b")
	s.Until("a reason", func() bool {
		return d.model == nil && strings.Contains(d.words.Text, "3") && strings.Contains(d.words.Text, "2")
	})
	ofLabels := d.words.Text
	if !d.keep.Disabled() {
		t.Error("it can be kept all the same")
	}
	d.labels.SetText("a b c")
	d.scale.SetSelectedIndex(0) // nothing is said, and untaught weights answer at random
	s.Until("what to say", func() bool {
		return d.model == nil && d.words.Text != "" && d.words.Text != ofLabels
	})
	d.scale.SetSelected("0..255")
	d.name.SetText("digits-mlp")
	taken := language.Sentence(language.Said(s.Collection.Store.Check("digits-mlp")))
	s.Until("a name that is taken", func() bool { return d.words.Text == taken })
	if !d.keep.Disabled() {
		t.Error("it can be kept under a name that is taken")
	}
	d.name.SetText("mine")
	s.Until("another name", func() bool { return d.model != nil })
	d.name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.Until("kept", func() bool { return s.named("mine") != nil && s.models.entry() == s.named("mine") })
	if len(s.Collection.Models) != len(models.Names())+1 || s.models.head.remove.Disabled() {
		t.Errorf("to choose from are %q", s.Collection.Models)
	}

	s.named("mine").score = &score{samples: 3, wrong: 1}
	s.models.askName(s.named("mine"))
	s.Submit("yours")
	s.Until("renamed", func() bool { return s.named("yours") != nil && s.named("mine") == nil })
	if got := s.named("yours").score; got == nil || got.wrong != 1 {
		t.Errorf("what was measured of it is %v under its new name", got)
	}
	s.models.feedAgain(s.named("yours"))
	s.Modal.Hide()
	s.models.askName(s.named("yours"))
	s.Submit("digits-mlp")
	s.Modal.Hide()
	if s.models.entry() != s.named("yours") {
		t.Error("a name that is taken opens the model that has it")
	}
	s.Perform(page.Action{Command: s.models.store().Rename("yours", "digits-mlp")})
	s.Says("A model called digits-mlp ships with Inkshade; choose another name")
	out := filepath.Join(t.TempDir(), "out.onnx")
	s.models.export(s.named("yours"), out)
	s.Says("Exported to " + out)
	if m, err := onnx.ReadFile(t.Context(), out, ""); err != nil || inputformat.Scale(m).Ink != 255 || m.Labels[1] != "b" {
		t.Errorf("exported was %+v, error %v", m, err)
	}
	buttons := s.models.head
	s.Win.Canvas().Focus(buttons.remove)
	s.key(fyne.KeyReturn)
	s.Until("removed", func() bool { return s.named("yours") == nil })
	s.Says("yours removed.")
	s.Undo()
	s.Until("restored", func() bool { return s.named("yours") != nil && buttons.use.Visible() })
	s.onList("Remove")
	s.Win.Canvas().Focus(buttons.use)
	s.key(fyne.KeyReturn)
	s.Until("in use", func() bool { return s.models.inUse(s.named("yours")) && !buttons.use.Visible() })
	s.onList("Use")
	if !buttons.remove.Visible() || !buttons.remove.Disabled() {
		t.Error("a model in use can be removed")
	}
	s.models.askName(s.named("yours"))
	s.Submit("ours")
	s.Until("renamed, and in use", func() bool {
		e := s.named("ours")
		return e != nil && s.named("yours") == nil && s.models.entry() == e && s.models.inUse(e) && e.Base == s.Status.Model
	})
	s.Undo()
	s.Until("in use as before", func() bool { e := s.named("yours"); return e != nil && s.models.inUse(e) && s.Status.Model == e.Base })
}

// The list says who is in use as soon as it is seen, and so it does when the model in use is taken back.
func TestWhoIsInUseIsSaidAtOnce(t *testing.T) {
	s := &testStage{Stage: pagetest.Open(t, &uitest.Engine{})}
	dir := t.TempDir()
	s.Keep(dir)
	s.models = New(s.Frame)
	s.Show(s.models.Tab(), &page.Page{Key: "empty", Content: container.NewWithoutLayout()})
	s.OpenBook(dir)
	s.Usual = "digits-mlp"
	inUse := func() string {
		for _, o := range test.LaidOutObjects(s.models.list) {
			if c, ok := o.(*widget.ListCard); ok {
				for _, o := range test.LaidOutObjects(c) {
					if l, ok := o.(*widget.Label); ok && l.Text == "in use" && c.Title.Text != "Words" {
						return c.Title.Text
					}
				}
			}
		}
		return ""
	}
	s.Until("the usual one", func() bool { return inUse() == "Digits (faster)" })
	s.Open("empty")
	s.AnswerBy("characters-mlp")
	s.Until("chosen", func() bool { return s.Status.Model == "characters-mlp" })
	if s.Open("models"); inUse() != "Characters (faster)" {
		t.Errorf("in use is %q", inUse())
	}

	d := s.models.openFile(pagetest.ModelFile(t, "mine.onnx", ""))
	d.scale.SetSelected("0..255")
	s.Until("a trial", func() bool { return !d.keep.Disabled() })
	d.keep.Tapped(nil)
	s.Until("opened", func() bool { return s.named("mine") != nil })
	s.AnswerBy(s.named("mine").Base)
	s.Until("in use", func() bool { return inUse() == "mine" })
	s.UndoLast()
	s.Until("the usual one", func() bool { return s.named("mine") == nil && inUse() == "Digits (faster)" })
}

func TestModelsAreMeasured(t *testing.T) {
	s := onModels(t, pagetest.Filled(t, map[string]int{"7": 3, "ß": 2}))
	s.models.measureAll()
	s.Says("No sample is kept for testing. Learn once, or keep some for testing on the Samples page.")
	if err := s.Book.HoldOut(true, 1, 2, 4).Do(); err != nil {
		t.Fatal(err)
	}
	s.models.measureAll()
	s.Until("scores", func() bool { return s.named("digits-mlp").score != nil })
	table := s.models.scoreTable()
	row := table[slices.IndexFunc(table, func(row []string) bool { return row[0] == "Digits (faster)" })]
	if len(table) != len(s.models.entries) || // without the one that reads lines
		row[1] == "3" || row[4] == "0" {
		t.Errorf("the table is %q", table)
	}
	// Nothing is said of a model that knows none of the samples.
	chinese := s.named("chinese-cnn")
	if card := chinese.words(); table[3][3] != "–" || card[4] != language.Duration(chinese.time) {
		t.Errorf("of Chinese the table says %q, its card %q", table[3], card)
	}
	if card := s.named("digits-mlp").words(); !strings.Contains(card[4], row[3]) {
		t.Errorf("of digits the table says %q, its card %q", row, card)
	}
}

// The weights of a filter are shown as means over what it reads, a matrix that lies over no picture whole.
func TestPicturesOfWeights(t *testing.T) {
	net := nn.Sequence(nn.Vector(3), nn.Layer{Kind: nn.Dense{Units: 2}, Values: [][]float32{{1, 2, 3, 4, 5, 6}, {0, 0}}})
	shapes, err := net.Shapes()
	if err != nil {
		t.Fatal(err)
	}
	all, words := weightPatches(net, 0, shapes)
	if len(all) != 1 || all[0].width != 3 || all[0].height != 2 || !slices.Equal(all[0].values, []float32{1, 3, 5, 2, 4, 6}) || !strings.Contains(words, "2 × 3") {
		t.Errorf("%q: %+v", words, all)
	}
	net = nn.Sequence(nn.Shape{Height: 2, Width: 2, Channels: 2}, nn.Layer{Kind: nn.Dense{Units: 1}, Values: [][]float32{{1, 3, 5, 7, 0, 2, -1, 1}, {0}}})
	if shapes, err = net.Shapes(); err != nil {
		t.Fatal(err)
	}
	all, words = weightPatches(net, 0, shapes)
	if len(all) != 1 || !slices.Equal(all[0].values, []float32{2, 6, 1, 0}) || !strings.Contains(words, "2x2") {
		t.Errorf("%q: %+v", words, all)
	}
	if got := valuePatches(nn.Shape{Height: 1, Width: 2, Channels: 2}, []float32{1, 2, 3, 4}); len(got) != 2 || !slices.Equal(got[1].values, []float32{2, 4}) {
		t.Errorf("values are %+v", got)
	}
}

func TestNothingOfTheModelsPageIsClipped(t *testing.T) {
	s := onModels(t, pagetest.Filled(t, map[string]int{"7": 3}))
	v := s.models.inside
	s.Paper.SetInk(bench.Seven)
	s.models.opened()
	s.Until("the answer", func() bool { return v.seen != nil })
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		for _, c := range []*fyne.Container{s.models.content, s.models.cards[1].Objects[1].(*fyne.Container), s.models.head.content, v.content} {
			for i, o := range c.Objects {
				p, b, within := o.Position(), o.Size(), c.Size()
				if o.Visible() && (p.X < 0 || p.Y < 0 || p.X+b.Width > within.Width+0.5 || p.Y+b.Height > within.Height+0.5) {
					if l, ok := o.(*widget.Label); !ok || p.Y+l.Height(b.Width) > within.Height+0.5 {
						t.Errorf("%v: %T %d at %v of size %v leaves %v", size, o, i, p, b, within)
					}
				}
			}
		}
		if side := v.pad.Size().Width; side < 84 {
			t.Errorf("%v: the paper is %v wide", size, side)
		}
	}
}

// The first words under the paper change nothing under the pen.
func TestThePaperToLookInsideStaysUnderThePen(t *testing.T) {
	s := onModels(t, t.TempDir())
	v := s.models.inside
	for _, size := range uitest.Sizes {
		v.pad.Take(nil, nil)
		s.Until("blank paper", func() bool { return v.seen == nil })
		s.Win.Resize(size)
		paper, weights := v.pad.Size(), v.weights.Size()
		v.pad.Take(bench.Seven, nil)
		s.Until("the answer", func() bool { return v.seen != nil && v.ofHeat.Text != "" })
		if v.pad.Size() != paper || v.weights.Size() != weights {
			t.Errorf("%v: the paper goes from %v to %v, the weights from %v to %v", size, paper, v.pad.Size(), weights, v.weights.Size())
		}
	}
}

// A trained model gets a name, which both pages show, and loses it by undo.
func TestATrainedModelIsNamed(t *testing.T) {
	s := onModels(t, pagetest.Filled(t, map[string]int{"7": 3}))
	file, err := models.Open("digits-mlp")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Book.Samples().(*samples.Store).AddModel(samples.Model{Base: "digits-mlp", Name: "my handwriting with ß", ONNX: file}, false); err != nil {
		t.Fatal(err)
	}
	s.models.refresh()
	s.Until("the trained one", func() bool { return s.named("digits-mlp@1") != nil })
	titled := func(want string) func() bool {
		return func() bool {
			e := s.named("digits-mlp@1")
			return e != nil && s.models.title(e) == want
		}
	}
	s.Until("no name of its own", titled("Digits (faster) @1"))
	s.models.askName(s.named("digits-mlp@1"))
	s.Submit("class 7b")
	s.Until("a name", titled("class 7b"))
	s.Undo()
	s.Until("none again", titled("Digits (faster) @1"))
	s.Redo()
	s.Until("the name again", titled("class 7b"))
	history, err := s.Book.Samples().Models("")
	if err != nil || history[0].Title() != "class 7b" {
		t.Errorf("the history is %+v, %v", history, err)
	}
}

// What was trained is there as well when the page is in front before the samples are open.
func TestTrainedModelsComeWithTheSamples(t *testing.T) {
	dir := pagetest.Filled(t, map[string]int{"7": 3})
	book, err := state.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, err := models.Open("digits-mlp")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := book.Samples().(*samples.Store).AddModel(samples.Model{Base: "digits-mlp", ONNX: file}, false); err != nil {
		t.Fatal(err)
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	s := &testStage{Stage: pagetest.Open(t, &uitest.Engine{})}
	s.Keep(dir)
	s.models = New(s.Frame)
	s.Show(s.models.Tab())
	s.Until("the shipped models", func() bool { return s.Status.Model != "" && len(s.models.entries) > 1 })
	s.OpenBook(dir)
	s.Until("the trained one", func() bool { return s.named("digits-mlp@1") != nil })
}

// The model that reads lines is shown, timed and looked into as far as that goes, and offered for no single characters.
func TestTheModelOfLinesIsShown(t *testing.T) {
	s := onModels(t, t.TempDir())
	words := s.named("words")
	s.Until("its time", func() bool { return words.time != 0 })
	card, digits, facts := words.words(), *words.Model, *words.facts
	digits.Base, facts.Preprocessing = "digits-mlp", nn.MNIST28
	ofCharacters := (&modelEntry{&digits, &known{facts: &facts}}).words()
	if words.problem != nil || !s.models.inUse(words) || card[3] == "" || card[3] == ofCharacters[3] {
		t.Errorf("%v, in use %t, its card %q", words.problem, s.models.inUse(words), card)
	}
	if s.models.entry() == words || slices.Contains(s.Collection.Models, models.Words) {
		t.Error("it answers for single characters")
	}
	ofCharacter := s.models.inside.nothing.Text
	s.models.show("words")
	s.read()
	if got := s.models.inside.nothing.Text; got == "" || got == ofCharacter || s.models.inside.pad.Visible() || s.models.head.use.Visible() || !s.models.head.export.Visible() {
		t.Errorf("inside it says %q", got)
	}
}

// What a card has no room for stands beside the open model: what it was tested on, and all of its classes.
func TestWhatACardHasNoRoomFor(t *testing.T) {
	s := onModels(t, t.TempDir())
	s.models.show("digits-cnn")
	s.read()
	h := s.models.head
	if !strings.Contains(h.words.Text, "of 7736 wrong (MNIST, Pendigits, UNIPEN)") {
		t.Errorf("of its test it says %q", h.words.Text)
	}
	s.models.show("chinese-cnn")
	s.read()
	h.classes.Tapped(nil)
	var list *toolkit.List
	for _, o := range test.LaidOutObjects(s.Win.Canvas().Overlays().Top()) {
		if l, ok := o.(*toolkit.List); ok {
			list = l
		}
	}
	list.ScrollToBottom()
	if !slices.ContainsFunc(test.LaidOutObjects(list), func(o fyne.CanvasObject) bool {
		l, ok := o.(*widget.Label)
		return ok && strings.HasSuffix(strings.TrimSpace(l.Text), "龚  龟") && l.Whole(l.Size().Width)
	}) {
		t.Error("its last classes are not seen whole")
	}
}

// In the smallest window no fact of a model is cut off, in no language.
func TestFactsOfModelsAreSaidWhole(t *testing.T) {
	t.Cleanup(func() { language.Use("en") })
	s := onModels(t, t.TempDir())
	for _, name := range []string{"words", "digits-cnn"} {
		s.Until("its time", func() bool { return s.named(name).time != 0 })
	}
	s.Win.Resize(uitest.Sizes[0])
	room := float32(0) // of a line on a card
	for _, o := range test.LaidOutObjects(s.models.list) {
		if c, ok := o.(*widget.ListCard); ok {
			room = c.Lines[0].Size().Width
		}
	}
	for _, l := range language.All {
		language.Use(l.Code)
		s.App.Settings().SetTheme(widget.NewTheme(widget.Light)) // with its fonts
		for _, e := range []*modelEntry{s.named("words"), s.named("digits-cnn")} {
			e.time, e.gpu, e.score = 123400*time.Microsecond, time.Millisecond, &score{samples: 1234, wrong: 123}
			for _, e.Kind = range []state.ModelKind{state.Imported, state.Trained, state.Shipped} {
				lines := e.words()
				for i, text := range lines {
					if line := widget.NewLabel(text, 12, widget.ColorMuted); i != 1 && !line.Whole(room) {
						t.Errorf("%s: %q is cut off: %v of %v", l.Name, text, line.Width(text), room)
					}
				}
				h := s.models.head
				if h.show(e); !h.words.Whole(h.words.Size().Width) {
					t.Errorf("%s: of %q is shown %q", l.Name, h.words.Text, h.words.Wrap(h.words.Size().Width))
				}
			}
		}
	}
}

// Commands of LaTeX that begin alike look different beside their drawings; what is short stands beside its probability.
func TestLongLabelsOfCandidatesAreToldApart(t *testing.T) {
	test.NewTempApp(t)
	r := newNearRow()
	r.Resize(fyne.NewSize(160, 44))
	shown := map[string]string{}
	for _, label := range []string{"7", `\textdollar`, `\textdagger`, `\textasciitilde`, `\textasciimacron`, `\leftrightharpoons`, `\leftrightsquigarrow`} {
		r.show(&look{}, recognizer.Candidate{Label: label, Probability: 0.5})
		text := r.name.Content.Objects[0].(*canvas.Text).Text
		if other, taken := shown[text]; taken {
			t.Errorf("%s and %s are both shown as %s", label, other, text)
		}
		if shown[text] = label; r.value.Visible() != (label == "7") || !r.value.Visible() && !strings.HasPrefix(r.distance.Text, "50.0 % · ") {
			t.Errorf("beside %s stands %q, under it %q", text, r.value.Text, r.distance.Text)
		}
	}
}
