package page

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
)

// Command is something that a person does by a menu, a key or a button; the help lists its keys.
type Command struct {
	ID   string // by which menus, buttons and the help find it
	Name string // in menus; empty for what no menu has
	Keys string // as in "Ctrl+Shift+Z, Ctrl+Y", of which menus and buttons show the first; empty for none
	Do   func()
	Here func() bool    // it is about what is in front; nil where it is about anything
	Why  func() string  // it cannot be done now, "" where it can; nil where it always can
	On   func() bool    // it has a tick; nil where it never has
	Grey bool           // it cannot be done at all as the window is
	tool *widget.Button // that does it; nil for none
}

// Tool is a button that does it, and shows the key.
func (c *Command) Tool(icon fyne.Resource, name string) *widget.Button {
	c.tool = widget.NewToolButton(icon, name, c.Hint(), c.Do)
	return c.tool
}

// Refresh lets the button show whether it can be done now, and why not.
func (c *Command) Refresh() {
	why := c.Why()
	c.tool.Allow(why == "", why)
}

// Hint is its first key.
func (c *Command) Hint() string { return KeyName(c.keys()[0]) }

func (c *Command) keys() []string { return strings.Split(c.Keys, ", ") }

// KeyName writes a key as it stands on the keyboards of this system and language; menus have it as the toolkit writes it.
func KeyName(key string) string {
	ctrl := language.Tr("Ctrl")
	if runtime.GOOS == "darwin" {
		ctrl = "Cmd"
	}
	names := strings.NewReplacer("Ctrl", ctrl, "Shift", language.Tr("Shift"), "Del", language.Tr("Del"), "Enter", language.Tr("Enter"), "Esc", language.Tr("Esc"))
	return names.Replace(key)
}

// shortcut is what the toolkit calls a key; what systems have for all programs it knows by names of its own.
func shortcut(key string) fyne.Shortcut {
	known := map[string]fyne.Shortcut{
		"Ctrl+Z": &fyne.ShortcutUndo{}, "Ctrl+Y": &fyne.ShortcutRedo{}, "Ctrl+C": &fyne.ShortcutCopy{},
		"Ctrl+V": &fyne.ShortcutPaste{}, "Ctrl+A": &fyne.ShortcutSelectAll{},
	}
	if s := known[key]; s != nil {
		return s
	}
	s := &desktop.CustomShortcut{}
	for {
		modifier, rest, more := strings.Cut(key, "+")
		if !more {
			break
		}
		s.Modifier |= map[string]fyne.KeyModifier{"Ctrl": fyne.KeyModifierShortcutDefault, "Shift": fyne.KeyModifierShift, "Alt": fyne.KeyModifierAlt}[modifier]
		key = rest
	}
	s.KeyName = fyne.KeyName(strings.NewReplacer("Del", "Delete", "←", "Left", "→", "Right").Replace(key))
	return s
}

// Command is the one of that id.
func (f *Frame) Command(id string) *Command {
	return f.Commands[slices.IndexFunc(f.Commands, func(c *Command) bool { return c.ID == id })]
}

// Run does a command, or says why it cannot be done now.
func (f *Frame) Run(c *Command) {
	switch {
	case c.Here != nil && !c.Here():
	case c.Why != nil && c.Why() != "":
		f.Toast.Say(c.Why())
	default:
		c.Do()
	}
}

// Item is a command in a menu. A grey one has no effect; by keys the toolkit would do it all the same.
func (f *Frame) Item(c *Command) *fyne.MenuItem {
	item := fyne.NewMenuItem(widget.Readable(c.Name), func() { f.Run(c) })
	if c.Keys != "" {
		item.Shortcut = shortcut(c.keys()[0])
	}
	item.Checked = c.On != nil && c.On()
	if c.Grey {
		item.Disabled, item.Action = true, nil
	}
	return item
}

// Items are the commands of these ids in a menu, with a line where a dash stands.
func (f *Frame) Items(ids ...string) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, id := range strings.Fields(strings.Join(ids, " ")) {
		if id == "-" {
			items = append(items, fyne.NewMenuItemSeparator())
		} else {
			items = append(items, f.Item(f.Command(id)))
		}
	}
	return items
}

// KeysOf lists the keys of commands. Of several digits or capitals under the same keys the first alone has these before it.
func (f *Frame) KeysOf(ids ...string) string {
	var all []string
	held := ""
	for _, id := range ids {
		for _, key := range f.Command(id).keys() {
			at := strings.LastIndex(key, "+") + 1
			with, name := key[:at], key[at:]
			if with == held && (strings.Contains(with, "Shift") || name >= "0" && name <= "9") {
				key = name
			}
			held = with
			all = append(all, key)
		}
	}
	return KeyName(strings.Join(all, ", "))
}

// ConnectKeys handles what menus cannot: keys without a modifier, those that no menu shows, and the key that is held to draw.
func (f *Frame) ConnectKeys() {
	c := f.Win.Canvas()
	for _, command := range f.Commands {
		for i, key := range command.keys() {
			if key != "" && (i > 0 || command.Name == "") {
				c.AddShortcut(shortcut(key), func(fyne.Shortcut) { f.Run(command) })
			}
		}
	}
	c.SetOnTypedKey(f.Key)
	c.SetOnTypedRune(f.Typed)
	if d, ok := c.(desktop.Canvas); ok {
		hold := func(down bool) func(*fyne.KeyEvent) {
			return func(e *fyne.KeyEvent) {
				if pen := f.Actions().Pen; e.Name == fyne.KeySpace && pen != nil {
					pen(down)
				}
			}
		}
		d.SetOnKeyDown(hold(true))
		d.SetOnKeyUp(hold(false))
	}
}

// edit gives a shortcut to the entry that has the focus, or else does what it is on the page.
func (f *Frame) edit(s fyne.Shortcut, otherwise func()) {
	if !f.ForEntry(s) {
		widget.Run(otherwise)
	}
}

// Undo, Redo, SelectAll and Clear are what keys and menus do on the page in front, or in the entry that has the focus.
func (f *Frame) Undo()      { f.edit(&fyne.ShortcutUndo{}, f.Actions().Undo) }
func (f *Frame) Redo()      { f.edit(&fyne.ShortcutRedo{}, f.Actions().Redo) }
func (f *Frame) SelectAll() { f.edit(&fyne.ShortcutSelectAll{}, f.Actions().SelectAll) }
func (f *Frame) Clear()     { widget.Run(f.Actions().Clear) }

// Typed gives the page in front a character.
func (f *Frame) Typed(r rune) {
	if typed := f.Actions().Typed; typed != nil {
		typed(r)
	}
}

// Key does the command whose key is this one alone, or what it is on the page. In a dialog Escape closes, and Enter gives the stressed answer.
func (f *Frame) Key(e *fyne.KeyEvent) {
	if top := f.Win.Canvas().Overlays().Top(); top != nil {
		switch e.Name {
		case fyne.KeyEscape:
			if _, ok := top.(*toolkit.PopUp); ok && f.StopJob != nil && f.OnEnter == nil { // no question lies over it
				f.StopJob()
			} else if ok && f.Modal != nil {
				f.Modal.Hide()
			} else if around, ok := top.(fyne.Tappable); ok { // a menu, after a press on a line of it that does nothing
				around.Tapped(nil)
			}
		case fyne.KeyReturn, fyne.KeyEnter:
			widget.Run(f.OnEnter)
		}
		return
	}
	if i := slices.IndexFunc(f.Commands, func(c *Command) bool { return c.Keys == string(e.Name) }); i >= 0 {
		f.Run(f.Commands[i])
	} else if key := f.Actions().Key; key != nil {
		key(e.Name)
	}
}

// Action is a change of what is kept, with what the window needs to show it.
type Action struct {
	Text    string // what was done, for the person
	Back    string // that it was taken back; empty says so of the text
	Command state.Command
	Shown   func(done bool) // shows it where it was done or, not done, taken back; nil for nothing more than all pages show
	About   any             // what it is about; nil for nothing in particular
}

// Perform does a change, shows what came of it, and keeps the way back.
func (f *Frame) Perform(a Action) { f.State.Give(a.Command, a) }

// Did keeps an action that was done for the first time, whose command takes it back.
func (f *Frame) Did(a Action) { f.State.Given(a.Command, a) }

// Changed answers and shows in the light of what is kept now; pages that are not in front wait.
func (f *Frame) Changed() {
	if f.Book != nil {
		f.MemoryChanged()
	}
	f.Each(func(p *Page) func() { return p.Kept })
}

// hear shows what came of an action.
func (f *Frame) hear(e state.Event) {
	a := e.Step.About.(Action)
	switch {
	case e.Err != nil:
		f.Tell(e.Err)
		f.Changed()
		return
	case e.Given:
		for _, p := range f.papers {
			if e.New {
				p.History.Future = nil
			}
		}
		f.Toast.offer(a.Text, f.UndoLast)
	default:
		f.Toast.Say(cmp.Or(a.Back, language.Tr("Undone: {{.What}}", map[string]any{"What": a.Text})))
	}
	f.Changed()
	if a.Shown != nil {
		a.Shown(e.Given)
	}
}

// UndoLast takes the newest action back, RedoLast does again what was undone last: once everything that was asked for is on disk.
func (f *Frame) UndoLast() {
	f.State.Undo(func() { f.Toast.Say(language.Tr("There is nothing to undo.")) })
}

func (f *Frame) RedoLast() {
	f.State.Redo(func() { f.Toast.Say(language.Tr("There is nothing to redo.")) })
}

// Redoes lets new work on a paper end what could be redone of actions, and new actions what could be redone there.
func (f *Frame) Redoes(p *widget.Pad) {
	f.papers = append(f.papers, p)
	p.OnWork = f.State.EndRedo
}

// UndoOn takes back what was done last, an action or what was drawn on a paper; RedoOn does again what was undone last of both.
func (f *Frame) UndoOn(p *widget.Pad) func() {
	return f.newest(p, f.State.Past, p.History.Changed, p.Undo, f.UndoLast)
}

func (f *Frame) RedoOn(p *widget.Pad) func() {
	return f.newest(p, f.State.Undone, p.History.Undone, p.Redo, f.RedoLast)
}

func (f *Frame) newest(p *widget.Pad, kept func() []state.Step, drawn func() time.Time, ofPaper, ofKept func()) func() {
	return func() {
		p.End()
		if !f.State.Pending() && widget.Last(kept()).At.Before(drawn()) {
			if !f.Toast.CanUndo() { // it tells of something else
				f.Toast.Close()
			}
			ofPaper()
		} else {
			ofKept()
		}
	}
}

// About is what the newest action that is not undone is about, of those that fit; nil for none.
func (f *Frame) About(fits func(about any) bool) any {
	past := f.State.Past()
	for i := len(past) - 1; i >= 0; i-- {
		if a := past[i].About.(Action).About; a != nil && fits(a) {
			return a
		}
	}
	return nil
}
