//go:build e2e

package main

import (
	"bytes"
	"cmp"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jezek/xgb/xproto"

	"inkshade/recognizer/ink"
)

// characters are drawn by strokes on a grid of nine by nine: digits in pairs are corners, spaces part strokes.
var characters = map[string]string{
	"A": "084088 2666", "L": "000888", "W": "0228426882", "Z": "12721878", "N": "18127872",
	"Ä": "084288 2666 2030 5060", "Å": "084388 2666 4031425140", "É": "62121868 1555 3150", "Ö": "422315274867756342 2030 5060", "Ñ": "18127872 20306151", "Ž": "12721878 304150",
	"é": "157563422315274877 3150", "è": "157563422315274877 3051", "ê": "157563422315274877 314051", "ß": "1811305134665838", "ç": "6342231527486775 484958", "ø": "422315274867756342 7218",
	"±": "4147 1474 1878", "=": "1373 1676", "∑": "7111441777", "√": "0515384181", "≤": "711477 1878", "∆": "40088840", "∅": "41142558745241 8007", "∈": "712143152668 1575", "×": "1177 7117", "¬": "147476", "→": "0484 628466", "€": "712123264778 0353 0555",
	"十": "0484 4048", "二": "2262 0686", "三": "1171 2464 0787", "八": "3008 5088", "人": "4008 4488", "大": "0383 404308 4388", "口": "1118 117178 1878", "山": "4047 131777 7377",
	"王": "1171 1474 4147 0787", "土": "2363 4047 0787", "工": "1171 4147 0787", "中": "1216 127276 1666 4048", "木": "0383 4048 4308 4388",
	"上": "4047 4373 0787", "下": "0181 4148 4365", "signature": "1171177711",
}

// signed is what the test's own symbol is typed as.
const signed = "Größe µΩ 学"

// drawn gives a character's strokes.
func drawn(label string) (k ink.Ink) {
	for corners := range strings.FieldsSeq(characters[label]) {
		at := func(i int) ink.Point {
			return ink.Point{X: 8 * float64(corners[i]-'0'), Y: 8 * float64(corners[i+1]-'0')}
		}
		s := ink.Stroke{at(0)}
		for i := 2; i < len(corners); i += 2 {
			from, to := at(i-2), at(i)
			for n := 1.0; n <= 2; n++ {
				s = append(s, ink.Point{X: from.X + (to.X-from.X)*n/2, Y: from.Y + (to.Y-from.Y)*n/2})
			}
		}
		k = append(k, s)
	}
	return k
}

// taught makes a collection that knows each of the characters by one drawing.
func taught(t *testing.T) (dir string) {
	var all []ink.Labelled
	for label := range characters {
		all = append(all, ink.Labelled{Label: label, Ink: drawn(label)})
	}
	dir = imported(t, all)
	if err := os.WriteFile(filepath.Join(dir, "collection.json"), []byte(`{"typed.signature": "`+signed+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// dialog opens an entry of GTK that has the keyboard, and gives what waits for Enter and tells what was typed there.
func (s *screen) dialog() (text func() string) {
	var typed bytes.Buffer
	zenity, ended := s.command("zenity", "--entry"), make(chan struct{})
	zenity.Env = append(zenity.Env, "LC_ALL=C.UTF-8", "GTK_IM_MODULE=simple", "GDK_BACKEND=x11", "NO_AT_BRIDGE=1")
	zenity.Stdout = &typed
	if err := zenity.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		_ = zenity.Wait()
		close(ended)
	}()
	s.t.Cleanup(func() {
		_ = zenity.Process.Kill()
		<-ended
	})
	s.xdotool("search", "--sync", "--onlyvisible", "--class", "zenity", "windowmove", "--sync", "700", "300", "windowfocus", "--sync")
	return func() string {
		s.until("the entry is closed", func() bool {
			select {
			case <-ended:
				return true
			default:
				return false
			}
		})
		return typed.String()
	}
}

// erased takes back what a program that keeps every key was asked to.
func erased(keys string) string {
	var text []rune
	for _, r := range keys {
		if r != '\x7f' {
			text = append(text, r)
		} else if len(text) > 0 {
			text = text[:len(text)-1]
		}
	}
	return string(text)
}

// TestPanelTypesEveryKindOfCharacter writes a text of some 200 characters with the pointer, three at a time and a space behind them, into a
// terminal and into an entry of another toolkit, with three layouts of the keyboard.
func TestPanelTypesEveryKindOfCharacter(t *testing.T) {
	s, terminal, focus := overTerminal(t, "--model", "chinese", "--data-dir", taught(t))
	before := focus()
	conn := s.connection()
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	inked := func() bool { // where the third of three characters stands
		img, err := xproto.GetImage(conn, xproto.ImageFormatZPixmap, xproto.Drawable(root), 374, 245, 74, 84, 1<<32-1).Reply()
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+3 < len(img.Data); i += 4 {
			if dark(img.Data[i+2], img.Data[i+1], img.Data[i]) {
				return true
			}
		}
		return false
	}
	press := func(x, y int) { s.stroke(conn, []image.Point{{X: x, Y: y}}) }
	labels := slices.Sorted(maps.Keys(characters))
	// line writes all characters, and gives the text that is to be typed.
	line := func() (want string) {
		for three := range slices.Chunk(labels, 3) {
			if want != "" {
				press(160, 506)
				want += " "
			}
			s.until("the paper is empty", func() bool { return !inked() })
			for i, label := range three {
				for _, stroke := range drawn(label) {
					var at []image.Point
					for _, p := range stroke {
						at = append(at, image.Pt(14+182*i+int(p.X), 255+int(p.Y)))
					}
					s.stroke(conn, at)
				}
				want += cmp.Or(map[string]string{"signature": signed}[label], label)
			}
			s.until("the ink is seen", inked)
		}
		press(398, 506)
		return want + "\n"
	}
	t.Cleanup(func() { s.layout("us") })
	typed := 0
	for _, name := range []string{"us", "de", "fr"} {
		s.layout(name)
		old := terminal()
		want := line()
		s.until("the line is there", func() bool { return strings.HasSuffix(terminal(), "\n") && terminal() != old })
		if got := erased(terminal()[len(old):]); got != want {
			t.Errorf("the terminal got, by the layout %s,\n%swhere the panel was given\n%s", name, got, want)
		}
		entry := s.dialog()
		want = line()
		if got := entry(); got != want {
			t.Errorf("the entry got, by the layout %s,\n%swhere the panel was given\n%s", name, got, want)
		}
		s.xdotool("windowfocus", "--sync", before)
		typed += utf8.RuneCountInString(want)
	}
	t.Logf("%d characters into each of two programs", typed)
}
