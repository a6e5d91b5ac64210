package panel

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inkshade/app/panel/keyboard"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// counting reads a letter for each stroke and each of its points.
type counting struct{ report chan func(device.Status) }

func (c *counting) Prepare(report func(device.Status)) { c.report <- report }

func (c *counting) RecognizeLine(_ context.Context, k ink.Ink, _ line.Options) (*line.Result, device.Side, error) {
	var text strings.Builder
	for _, s := range k {
		text.WriteString(strings.Repeat("i", len(s)) + "-")
	}
	return &line.Result{Text: text.String()}, device.CPU, nil
}

func (c *counting) Close() error { return nil }

// A device that becomes ready while the pen is down has nothing typed: half a stroke looks like another character.
func TestHalfAStrokeIsNotTyped(t *testing.T) {
	a := test.NewTempApp(t)
	setting.PanelTyping.Set(a.Preferences(), setting.TypingTimes[0])
	synctest.Test(t, func(t *testing.T) {
		other, engine := &paper{}, &counting{make(chan func(device.Status), 1)}
		w := newWindow(a, Options{
			Engine: engine, post: func(f func()) { f() },
			keyboard: func(context.Context, uintptr, keyboard.Permission) (keyboard.Keyboard, error) { return other, nil },
		})
		w.connect(0)
		pen := func(x float32) *desktop.MouseEvent {
			return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 80)}, Button: desktop.MouseButtonPrimary}
		}
		w.paper.MouseDown(pen(100))
		w.paper.MouseMoved(pen(110))
		ready := <-engine.report
		ready(device.Status{Answering: device.CPU})
		synctest.Wait()
		if len(other.text) > 0 {
			t.Errorf("%q was typed while the pen was down", string(other.text))
		}
		w.paper.MouseMoved(pen(120))
		w.paper.MouseUp(pen(120))
		synctest.Wait()
		if other.keys != 4 || string(other.text) != "iii-" {
			t.Errorf("%d keys typed %q, want iii- by 4", other.keys, string(other.text))
		}
		if err := w.close(); err != nil {
			t.Error(err)
		}
	})
}
