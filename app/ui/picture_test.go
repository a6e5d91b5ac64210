package ui

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2"

	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/assets"
	"inkshade/recognizer/ink"
)

func sample(t *testing.T, label string) ink.Ink {
	t.Helper()
	all, err := ink.Read(bytes.NewReader(assets.SampleInk()))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.Label == label {
			return s.Ink
		}
	}
	t.Fatalf("no sample of %s", label)
	return nil
}

func TestPictureStopsOnRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Render(ctx, sample(t, "3"), Options{Engine: &uitest.Engine{}, Size: fyne.NewSize(900, 600)}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestPictureShowsInkAndAnswer(t *testing.T) {
	for _, c := range []struct {
		name string
		look widget.Appearance
		size fyne.Size
	}{
		{"light-1280", widget.Light, fyne.NewSize(1280, 800)},
		{"dark-1280", widget.Dark, fyne.NewSize(1280, 800)},
		{"light-900", widget.Light, fyne.NewSize(900, 600)},
		{"dark-900", widget.Dark, fyne.NewSize(900, 600)},
	} {
		t.Run(c.name, func(t *testing.T) {
			img, err := Render(t.Context(), sample(t, "3"), Options{Engine: &uitest.Engine{SoftGPU: true}, Appearance: c.look, Size: c.size})
			if err != nil {
				t.Fatal(err)
			}
			if got := img.Bounds().Size(); got.X != int(c.size.Width) || got.Y != int(c.size.Height) {
				t.Errorf("picture is %v, want %v", got, c.size)
			}
		})
	}
}
