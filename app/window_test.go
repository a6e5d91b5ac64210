package main

import (
	"os"
	"path/filepath"
	"testing"

	"inkshade"
)

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
