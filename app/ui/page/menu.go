package page

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// KeyName writes a key for people of this system.
func KeyName(key string) string {
	if runtime.GOOS == "darwin" {
		return strings.NewReplacer("Ctrl+", "Cmd+").Replace(key)
	}
	return key
}

// Ticked gives an item a tick, or takes it away.
func Ticked(item *fyne.MenuItem, on bool) *fyne.MenuItem {
	item.Checked = on
	return item
}

// Greyed makes an item grey and without effect where it has none: by keys the toolkit would do it all the same.
func Greyed(item *fyne.MenuItem, grey bool) *fyne.MenuItem {
	if grey {
		item.Disabled, item.Action = true, nil
	}
	return item
}

// WithKey is an item of a menu with a key of its own.
func WithKey(text string, key fyne.KeyName, mods fyne.KeyModifier, do func()) *fyne.MenuItem {
	return WithShortcut(text, &desktop.CustomShortcut{KeyName: key, Modifier: mods}, do)
}

// WithShortcut is an item of a menu with a shortcut of the system.
func WithShortcut(text string, s fyne.Shortcut, do func()) *fyne.MenuItem {
	item := fyne.NewMenuItem(text, do)
	item.Shortcut = s
	return item
}
