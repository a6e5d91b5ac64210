package ui

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/settings"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
)

func TestChosenAppearanceIsKept(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.setAppearance(widget.Dark)
	if got := widget.Chosen(s.App.Preferences(), ""); got != widget.Dark {
		t.Errorf("kept %q", got)
	}
	if got := widget.Themed(widget.ColorPaper); got != color.Color(widget.NewTheme(widget.Dark).Color(widget.ColorPaper, theme.VariantLight)) {
		t.Errorf("paper is %v", got)
	}
}

// The settings show the look and change it at once, in step with the menu.
func TestTheLookIsChosenInTheSettings(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.Command("settings").Do()
	look := shownOf(s.Win.Canvas().Overlays().Top(), func(d *widget.DropDown) bool { return slices.Contains(d.Options, "Dark") })[0]
	if look.Selected != "Light" {
		t.Errorf("the settings say %q", look.Selected)
	}
	look.SetSelected("Dark")
	if !s.Command("look-dark").On() || widget.Chosen(s.App.Preferences(), "") != widget.Dark || widget.Themed(widget.ColorPaper) != widget.NewTheme(widget.Dark).Color(widget.ColorPaper, theme.VariantLight) {
		t.Error("it is not dark at once, and remembered")
	}
	s.Command("look-system").Do()
	if look.SelectedIndex() != slices.Index(settings.Looks, widget.System) || widget.Chosen(s.App.Preferences(), "") != widget.System {
		t.Errorf("the menu leaves the settings at %q", look.Selected)
	}
}

// Pages look the same whether the window was opened in a look, switched to it on that page, or on another.
func TestEveryPageFollowsTheLook(t *testing.T) {
	pages := func(s *testStage, change func(i int)) (all [][]uint8) {
		p := onLatency(s)
		s.Actions().Key(fyne.KeyReturn)
		s.until("the readings", func() bool { return p.Report.Complete })
		s.OpenPage(0)
		uitest.Stroke(s.Paper, uitest.Seven...)
		s.until("both times", func() bool { return s.Status.Settled() && s.draw.Lacks() == "" })
		for i := range s.Pages {
			change(i)
			s.OpenPage(i)
			all = append(all, s.Win.Canvas().Capture().(*image.NRGBA).Pix)
		}
		s.close()
		return all
	}
	dark := open(t, &uitest.Engine{}, func(o *Options) { o.Appearance = widget.Dark })
	opened := pages(dark, func(i int) {
		dark.OpenPage(i)
		dark.setAppearance(widget.Dark) // lays it out once more, as a switch does
	})
	for what, before := range map[string]int{"on the page": 0, "on another": 1} {
		s := open(t, &uitest.Engine{})
		for i, got := range pages(s, func(i int) {
			s.setAppearance(widget.Light)
			s.OpenPage((i + before) % len(s.Pages))
			s.setAppearance(widget.Dark)
		}) {
			if !slices.Equal(got, opened[i]) {
				t.Errorf("%s looks different when switched %s", s.Pages[i].Name, what)
			}
		}
	}
}
