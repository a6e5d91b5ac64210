package widget

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/ink"
)

// No line of Chinese begins with a mark that closes or ends with one that opens, and no word is
// torn.
func TestLinesBreakWhereTheyMay(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	for _, text := range []string{
		"测量用的是“手写”页上的字迹；快速约需十五秒，全面需一到两分钟。",
		"由处理器绘制（软件），因此这是软件与软件的比较（空心点）。",
		"片段着色器可用于所有支持 OpenGL 3.3 的 GPU，计算着色器需要 4.3。",
		"Two sentences of some length. They are broken at words.",
	} {
		l := NewLabel(text, 13, ColorMuted).Wrapped(40)
		for width := float32(100); width < 300; width += 3 {
			lines := l.Wrap(width)
			without := func(s string) string { return strings.ReplaceAll(s, " ", "") }
			if got := strings.Join(lines, ""); without(got) != without(text) {
				t.Errorf("at %v the text became %q", width, got)
			}
			for i, line := range lines {
				if l.Width(line) > width+1 {
					t.Errorf("at %v: %q is %v wide", width, line, l.Width(line))
				}
				first, _ := utf8.DecodeRuneInString(line)
				last, _ := utf8.DecodeLastRuneInString(line)
				if i > 0 && strings.ContainsRune("。，；）”", first) || i < len(lines)-1 && strings.ContainsRune("（“", last) {
					t.Errorf("at %v: %q", width, lines)
				}
				for _, word := range latin(line) {
					if !slices.Contains(latin(text), word) {
						t.Errorf("at %v the word %q is torn: %q", width, word, lines)
					}
				}
			}
		}
	}
}

// Of a long name both ends are shown.
func TestANameIsCutInside(t *testing.T) {
	l := NewLabel("digits trained at school, lesson 5 · All classes", 13, ColorMuted).OfName()
	for width := float32(60); width < 400; width += 7 {
		got := l.Wrap(width)[0]
		begin, end, cut := strings.Cut(got, "…")
		if l.Width(got) > width+1 || cut == l.Whole(width) || !strings.HasPrefix(l.Text, begin) || !strings.HasSuffix(l.Text, end) || cut && len(begin)-len(end) > 12 {
			t.Errorf("at %v it is %q", width, got)
		}
	}
}

// latin are the words and numbers of a text that are not Chinese.
func latin(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || isEastern(r) })
}

// A Chinese line is filled, and does not end at a space that happens to be near its end.
func TestChineseLinesAreFilled(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	l := NewLabel("支持 OpenGL 3.3 的图形处理器都可以使用片段着色器", 13, ColorMuted).Wrapped(3)
	width := l.Width("支持 OpenGL 3.3 的图形处理器")
	if got := l.Wrap(width)[0]; got != "支持 OpenGL 3.3 的图形处理器" {
		t.Errorf("the first line is %q", got)
	}
}

func TestSignsThatNoFontHas(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	for text, want := range map[string]bool{"A": false, "ß": false, "永": false, "あ": false, "→": false, "star": false, "\U0010FFFC": true, "a\U0010FFFC": true, "": false} {
		if Lacking(text, fyne.TextStyle{}) != want {
			t.Errorf("lacking %q: %v", text, !want)
		}
	}
	l := NewLabel("A", 40, theme.ColorNameForeground)
	l.Resize(fyne.NewSize(60, 60))
	empty := l.Content.Objects[0].(*canvas.Text)
	defer SetSigns(nil)
	k := ink.Ink{{{X: 0, Y: 0}, {X: 0, Y: 10}}}
	if !SetSigns(map[string]ink.Ink{"A": k}) || SetSigns(map[string]ink.Ink{"A": k}) {
		t.Error("what is new is not told from what is not")
	}
	l.Refresh()
	if strings.TrimSpace(empty.Text) != "" || len(l.pictures) != 1 || l.pictures[0].raster.Hidden {
		t.Fatal("no drawing stands for the sign")
	}
	at := func(x, y int) bool {
		_, _, _, alpha := l.pictures[0].raster.Generator(50, 50).At(x, y).RGBA()
		return alpha > 0
	}
	if !at(25, 25) || !at(25, 15) || at(5, 25) {
		t.Error("the drawing is not painted")
	}
	l.Set("B")
	if empty.Text != "B" || !l.pictures[0].raster.Hidden {
		t.Error("the drawing stands for another label")
	}
}

// Within a sentence a sign that no font has is its drawing, which stands in the room left for it, or its code point.
func TestSignsThatNoFontHasWithinSentences(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	const rune1, rune2 = "\U0010FFF0", "\U0010FFF1"
	text := "Saved as " + rune1 + ", which was " + rune2 + "."
	if got := Readable(text); got != "Saved as U+10FFF0, which was U+10FFF1." {
		t.Errorf("readable it is %q", got)
	}
	k := ink.Ink{{{X: 0, Y: 0}, {X: 0, Y: 10}}}
	SetSigns(map[string]ink.Ink{rune1: k, rune1 + rune2: k})
	defer SetSigns(nil)
	for _, align := range []fyne.TextAlign{fyne.TextAlignLeading, fyne.TextAlignCenter, fyne.TextAlignTrailing} {
		l := NewLabel(text, 14, theme.ColorNameForeground).Aligned(align).Wrapped(2)
		l.Resize(fyne.NewSize(400, 60))
		if got := l.Content.Objects[0].(*canvas.Text).Text; got != "Saved as "+signSpace+", which was U+10FFF1." || len(l.pictures) != 1 {
			t.Fatalf("it says %q with %d drawings", got, len(l.pictures))
		}
		begin := map[fyne.TextAlign]float32{fyne.TextAlignCenter: 0.5, fyne.TextAlignTrailing: 1}[align] * (400 - l.Width(text))
		middle := l.pictures[0].raster.Position().X + l.pictures[0].raster.Size().Width/2
		if want := begin + l.Width("Saved as ") + 7; middle < want-3 || middle > want+3 {
			t.Errorf("aligned %v the drawing is at %v, its room at %v", align, middle, want)
		}
		l.Set("Saved as A.")
		if l.pictures[0].raster.Visible() {
			t.Error("the drawing stands there for another text")
		}
	}
	l := NewLabel(rune1+rune2, 14, theme.ColorNameForeground)
	if l.Resize(fyne.NewSize(10, 20)); len(l.pictures) != 1 || l.Content.Objects[0].(*canvas.Text).Text != signSpace {
		t.Error("a text of two signs that was drawn is not one drawing")
	}
}
