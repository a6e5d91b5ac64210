package main

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"

	"inkshade"
	"inkshade/app/cli"
	"inkshade/app/state/device"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
)

// The toolkit reads settings that it has just begun to write, and looks for a folder for videos; whoever sees the terminal
// need not know.
func TestOnlyComplaintsThatMatterAreShown(t *testing.T) {
	var shown bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&complaints{to: &shown})
	fyne.LogError("Preferences load error:", io.EOF)
	t.Setenv("HOME", t.TempDir())
	a := test.NewTempApp(t)
	dialog.ShowFolderOpen(func(fyne.ListableURI, error) {}, a.NewWindow(""))
	if shown.Len() > 0 {
		t.Errorf("shown is %q", shown.String())
	}
	log.Print("begun")
	fyne.LogError("Failed to open the display", errors.New("no memory"))
	if got := shown.String(); strings.Count(got, "\n") != 4 || !strings.Contains(got, "begun") || !strings.Contains(got, "no memory") {
		t.Errorf("shown is %q", got)
	}
}

// A home that cannot be written is told of in one line.
func TestSettingsThatCannotBeKeptAreToldOnce(t *testing.T) {
	var shown bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&complaints{to: &shown})
	denied := errors.New("mkdir /home/me/.config: permission denied")
	for _, complaint := range []string{
		"Unable to create settings storage:", "Settings watch error:", "Failed to create app storage space",
		"Failed on saving preferences", "Failed on force saving preferences",
	} {
		fyne.LogError(complaint, denied)
	}
	if want := "Settings are not kept: " + denied.Error() + "\n"; shown.String() != want {
		t.Errorf("shown is %q, want %q", shown.String(), want)
	}
}

func TestGPUIsChosenByAPersonAlone(t *testing.T) {
	type start struct {
		given glcompute.DeviceKind // empty for none
		kept  device.Choice
	}
	for s, want := range map[start]bool{
		{"", ""}: false, {"", device.ChooseCPU}: false, {"", device.ChooseGPU}: true, {"", device.ChooseFaster}: true,
		{glcompute.CPU, device.ChooseGPU}: false, {glcompute.Fragment, device.ChooseCPU}: true, {glcompute.Auto, ""}: true,
	} {
		o := cli.WindowOptions{Device: cmp.Or(s.given, glcompute.Auto), DeviceGiven: s.given != ""}
		if got := gpuChosen(o, s.kept); got != want {
			t.Errorf("%+v: %v", s, got)
		}
	}
}

func TestThePanelHasWhatTheWindowHas(t *testing.T) {
	for _, c := range []struct {
		given  glcompute.DeviceKind // empty for none
		by     device.Choice
		device []string
	}{
		{"", device.ChooseGPU, nil},
		{"", device.ChooseFaster, nil},
		{"", device.ChooseCPU, []string{"--device", "cpu"}},
		{glcompute.Fragment, device.ChooseGPU, []string{"--device", "fragment"}},
		{glcompute.Fragment, device.ChooseCPU, []string{"--device", "cpu"}},
		{glcompute.CPU, device.ChooseCPU, []string{"--device", "cpu"}},
		{glcompute.CPU, device.ChooseGPU, nil},
	} {
		o := cli.WindowOptions{DataDir: "/data", Collection: "one", Appearance: "dark", Device: c.given, DeviceGiven: c.given != ""}
		want := append([]string{"panel", "--data-dir", "/data", "--collection", "two", "--appearance", "light"}, c.device...)
		if got := panelArguments(o, "two", widget.Light, c.by); !slices.Equal(got, want) {
			t.Errorf("%s, then %s: %v", c.given, c.by, got)
		}
	}
}

func TestUnreadableSettingsAreDropped(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("AppData", t.TempDir())
	config, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(config, "fyne", inkshade.About().ID, "preferences.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for content, kept := range map[string]bool{"": false, `{"mode`: false, `{"model":"digits-mlp"}`: true} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		dropUnreadable()
		if _, err := os.Stat(path); (err == nil) != kept {
			t.Errorf("%q: %v", content, err)
		}
	}
	dropUnreadable() // also where there are none
}
