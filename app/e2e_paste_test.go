//go:build e2e

package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"inkshade/recognizer/ink"
)

// copies owns the clipboard of the display, and gives a picture to whoever asks; in pieces where it is large.
func copies(t *testing.T, display string, file []byte) {
	t.Helper()
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	atom := func(name string) xproto.Atom {
		a, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			t.Fatal(err)
		}
		return a.Atom
	}
	clipboard, kind, incr := atom("CLIPBOARD"), atom("image/png"), atom("INCR")
	window, err := xproto.NewWindowId(conn)
	if err != nil {
		t.Fatal(err)
	}
	screen := xproto.Setup(conn).DefaultScreen(conn)
	xproto.CreateWindow(conn, 0, window, screen.Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, screen.RootVisual, 0, nil)
	if err := xproto.SetSelectionOwnerChecked(conn, window, clipboard, xproto.TimeCurrentTime).Check(); err != nil {
		t.Fatal(err)
	}
	const whole, piece = 60000, 50000
	go func() {
		var rest []byte
		for {
			e, _ := conn.WaitForEvent()
			switch e := e.(type) {
			case nil:
				return
			case xproto.SelectionRequestEvent:
				answer := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target}
				if e.Target == kind {
					answer.Property = e.Property
					if len(file) <= whole {
						xproto.ChangeProperty(conn, xproto.PropModeReplace, e.Requestor, e.Property, kind, 8, uint32(len(file)), file)
					} else {
						rest = file
						xproto.ChangeWindowAttributes(conn, e.Requestor, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
						xproto.ChangeProperty(conn, xproto.PropModeReplace, e.Requestor, e.Property, incr, 32, 1, make([]byte, 4))
					}
				}
				xproto.SendEvent(conn, false, e.Requestor, 0, string(answer.Bytes()))
			case xproto.PropertyNotifyEvent:
				if e.State == xproto.PropertyDelete {
					n := min(piece, len(rest))
					xproto.ChangeProperty(conn, xproto.PropModeReplace, e.Window, e.Atom, kind, 8, uint32(n), rest[:n])
					rest = rest[n:]
				}
			}
		}
	}()
}

// TestPicturesArePasted copies pictures of sample digits, small and large, and presses Ctrl+V.
func TestPicturesArePasted(t *testing.T) {
	s := show(t, 1280, 800, nil, "--appearance", "light")
	answers := 0
	for i, scale := range []int{4, 40} {
		sample := samples(t)[3+i]
		small, err := ink.Rasterize(sample.Ink)
		if err != nil {
			t.Fatal(err)
		}
		img := image.NewGray(image.Rect(0, 0, small.Width*scale, small.Height*scale))
		for j := range img.Pix {
			x, y := j%img.Rect.Dx()/scale, j/img.Rect.Dx()/scale
			img.SetGray(j%img.Rect.Dx(), j/img.Rect.Dx(), color.Gray{Y: 255 - uint8(255*small.Pix[y*small.Width+x])})
		}
		var file bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&file, img); err != nil {
			t.Fatal(err)
		}
		copies(t, s.display, file.Bytes())
		began := time.Now()
		s.xdotool("key", "ctrl+v")
		answers++
		_, answer := s.answered(answers)
		t.Logf("%d bytes are read as %s after %v", file.Len(), answer.Label, time.Since(began).Round(time.Millisecond))
		if answer.Label != sample.Label {
			t.Errorf("a %s was read as %s", sample.Label, answer.Label)
		}
	}
	s.picture("pasted")
}
