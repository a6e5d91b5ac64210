package page

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"
	"github.com/adrg/xdg"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/files"
)

// chooser is the dialog in which a file or folder is chosen, from a list or by typing its path. It touches no file.
type chooser struct {
	frame   *Frame
	dialog  *dialog.CustomDialog
	endings []string // of the files that are listed
	ending  string   // that a file to be written gets; empty where none is written
	folders bool     // one of them is chosen
	then    func(path string)

	folder string
	all    []file // of the folder
	listed []file // of these, what is shown
	wanted string // the folder that is being read
	list   *toolkit.List
	at     int // the chosen line, or -1
	near   int // the line that begins as what is typed
	tapped time.Time
	place  *widget.Label
	entry  *widget.Entry
	hidden *widget.CheckBox
	words  *widget.Label // what is wrong
	button *widget.Press
	taken  string // the file that Replace replaces
}

// file is a line of the list.
type file struct {
	name   string
	folder bool
	day    time.Time
}

// ChooseFile asks for a file with one of the endings.
func (f *Frame) ChooseFile(title string, endings []string, then func(path string)) {
	f.choose(title, language.Tr("Open"), "", &chooser{endings: endings, then: then})
}

// ChooseFolder asks for a folder.
func (f *Frame) ChooseFolder(title string, then func(path string)) {
	f.choose(title, language.Tr("Choose this folder"), "", &chooser{folders: true, then: then})
}

// ChooseTarget asks where a file goes, whose name gets the ending of the one that is offered.
func (f *Frame) ChooseTarget(title, name string, then func(path string)) {
	ending := filepath.Ext(name)
	f.choose(title, language.Tr("Save"), name, &chooser{endings: []string{ending, ending + ".gz"}, ending: ending, then: then})
}

func (f *Frame) choose(title, give, name string, c *chooser) {
	c.frame, c.at = f, -1
	c.place = widget.NewLabel("", 13, widget.ColorMuted).OfName()
	c.words = widget.NewLabel("", 12, theme.ColorNameError).Wrapped(2)
	c.entry = widget.NewLabelEntry(language.Tr("Name or path"), func(string) {}, nil)
	c.entry.Keys[fyne.KeyUp], c.entry.Keys[fyne.KeyDown] = func() { c.step(-1) }, func() { c.step(1) }
	c.entry.Most = 4096 // of a path
	c.entry.OnChanged, c.entry.OnSubmitted = c.typed, func(string) { c.entered() }
	c.hidden = widget.NewCheckBox(language.Tr("Hidden files"), func(bool) { c.show() })
	c.button = widget.NewPress(give, c.give)
	c.button.Importance = toolkit.HighImportance
	c.list = toolkit.NewList(func() int { return len(c.listed) }, newFileRow, func(i int, o fyne.CanvasObject) {
		o.(*fileRow).set(c.listed[i], func() { c.tap(i) })
	})
	up := widget.NewPressWithIcon(language.Tr("Up"), theme.NavigateBackIcon(), func() { c.open(filepath.Dir(c.folder)) })
	head := container.NewBorder(nil, nil, up, c.hidden, container.NewVBox(layout.NewSpacer(), c.place, layout.NewSpacer()))
	foot := container.NewVBox(c.entry, c.words)
	c.dialog = dialog.NewCustomWithoutButtons(title, container.NewBorder(head, foot, c.places(), nil, c.list), f.Win)
	c.dialog.SetButtons([]fyne.CanvasObject{widget.NewPress(language.Tr("Cancel"), c.dialog.Hide), c.button})
	room := f.Win.Canvas().Size()
	c.dialog.Resize(fyne.NewSize(min(room.Width-60, 820), min(room.Height-60, 560)))
	f.present(c.dialog, c.entered)
	c.entry.SetText(name)
	f.typeInto(c.entry)
	home, _ := os.UserHomeDir()
	c.folder = cmp.Or(f.folder, home, string(filepath.Separator))
	c.open(c.folder)
}

// places are folders of the person, as far as they are there.
func (c *chooser) places() fyne.CanvasObject {
	xdg.Reload()
	home, _ := os.UserHomeDir()
	dirs, column := xdg.UserDirs, container.NewVBox()
	for _, p := range []struct{ name, path string }{
		{language.Tr("Home"), home},
		{language.Tr("Desktop"), dirs.Desktop},
		{language.Tr("Documents"), dirs.Documents},
		{language.Tr("Downloads"), dirs.Download},
		{language.Tr("Pictures"), dirs.Pictures},
		{language.Tr("Computer"), filepath.VolumeName(home) + string(filepath.Separator)},
	} {
		if info, err := os.Stat(p.path); err == nil && info.IsDir() && (p.path != home || len(column.Objects) == 0) {
			b := widget.NewPress(p.name, func() { c.open(p.path) })
			b.Alignment, b.Importance = toolkit.ButtonAlignLeading, toolkit.LowImportance
			column.Add(b)
		}
	}
	return column
}

// open lists another folder, once it is read: one on a network may take its time.
func (c *chooser) open(folder string) {
	c.wanted = folder
	if c.ending == "" {
		c.entry.SetText("")
	}
	c.words.Set("")
	go func() {
		all, err := readFolder(folder)
		c.frame.Post(func() {
			switch {
			case c.wanted != folder:
			case err != nil:
				c.refuse(folder, err)
			default:
				c.folder, c.all, c.frame.folder = folder, all, folder
				c.place.Set(folder)
				c.show()
			}
		})
	}()
}

// readFolder gives its folders and then its files, by name.
func readFolder(folder string) ([]file, error) {
	entries, err := os.ReadDir(folder)
	all := make([]file, 0, len(entries))
	for _, e := range entries {
		is := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(folder, e.Name()))
			is = err == nil && info.IsDir()
		}
		one := file{name: e.Name(), folder: is}
		if info, err := e.Info(); err == nil {
			one.day = info.ModTime()
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b file) int {
		if a.folder != b.folder {
			return map[bool]int{true: -1, false: 1}[a.folder]
		}
		return cmp.Or(cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), cmp.Compare(a.name, b.name))
	})
	return all, err
}

// show lists what can be chosen of the folder.
func (c *chooser) show() {
	c.listed, c.at, c.near = nil, -1, 0
	for _, one := range c.all {
		named := func(ending string) bool { return strings.HasSuffix(strings.ToLower(one.name), ending) }
		if (c.hidden.Checked || one.name[0] != '.') && (one.folder || !c.folders && slices.ContainsFunc(c.endings, named)) {
			c.listed = append(c.listed, one)
		}
	}
	c.list.UnselectAll()
	c.list.Refresh()
	c.list.ScrollToTop()
}

// tap opens a folder, and chooses a file; a second tap soon after gives that.
func (c *chooser) tap(i int) {
	twice := c.at == i && time.Since(c.tapped) < c.frame.App.Driver().DoubleTapDelay()*2
	c.tapped = time.Now()
	switch {
	case c.listed[i].folder:
		c.open(filepath.Join(c.folder, c.listed[i].name))
	case twice:
		c.give()
	default:
		c.mark(i)
	}
}

// step chooses the next line, or the one that is like what was typed.
func (c *chooser) step(by int) {
	if c.at < 0 {
		c.mark(c.near)
	} else {
		c.mark(c.at + by)
	}
}

// mark chooses a line and writes its name into the entry.
func (c *chooser) mark(i int) {
	if i < 0 || i >= len(c.listed) {
		return
	}
	c.entry.SetText(c.listed[i].name)
	c.at = i
	c.list.Select(i)
}

// typed marks nothing any more, and shows the first line that begins like what is typed.
func (c *chooser) typed(text string) {
	c.at, c.taken = -1, ""
	c.list.UnselectAll()
	c.words.Set("")
	c.named()
	begins := func(one file) bool { return strings.HasPrefix(strings.ToLower(one.name), strings.ToLower(text)) }
	if c.near = max(slices.IndexFunc(c.listed, begins), 0); text != "" {
		c.list.ScrollTo(c.near)
	}
}

// named gives the button of a file to be written its name: what it does to the one that is there.
func (c *chooser) named() {
	if c.ending != "" {
		c.button.Text, c.button.Importance = language.Tr("Save"), toolkit.HighImportance
		if c.taken != "" {
			c.button.Text, c.button.Importance = language.Tr("Replace"), toolkit.DangerImportance
		}
		c.button.Refresh()
	}
}

func (c *chooser) refuse(path string, err error) {
	c.words.Set(language.Tr("{{.Name}} cannot be opened: {{.Reason}}", map[string]any{"Name": path, "Reason": language.Said(files.Cause(err))}))
}

// path is what was typed: a name in the folder, or a path of its own.
func (c *chooser) path() string {
	text := c.entry.Text
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(text) {
		return filepath.Clean(text)
	}
	return filepath.Join(c.folder, text)
}

// entered is Enter, which replaces no file.
func (c *chooser) entered() {
	if c.taken == "" {
		c.give()
	}
}

// give opens the folder, or gives the file, whose name stands in the entry, or says what is wrong with it.
func (c *chooser) give() {
	path := c.path()
	info, err := os.Stat(path)
	folder := err == nil && info.IsDir()
	switch {
	case folder && c.folders:
		c.chosen(path)
	case c.entry.Text == "":
		c.words.Set(language.Tr("Choose a file, or type its path."))
	case folder:
		c.entry.SetText("")
		c.open(path)
	case c.ending != "":
		c.save(path)
	case err != nil:
		c.refuse(path, err)
	case c.folders:
		c.words.Set(language.Tr("{{.Name}} is no folder.", map[string]any{"Name": path}))
	default:
		c.chosen(path)
	}
}

// save gives the path of a file to be written, of one that is there when Replace was pressed.
func (c *chooser) save(path string) {
	if !strings.HasSuffix(strings.TrimSuffix(path, ".gz"), c.ending) {
		path += c.ending
	}
	_, err := os.Stat(path)
	info, within := os.Stat(filepath.Dir(path))
	switch {
	case within != nil || !info.IsDir():
		c.words.Set(language.Tr("There is no folder {{.Name}}.", map[string]any{"Name": filepath.Dir(path)}))
	case err == nil && c.taken != path:
		c.taken = path
		c.named()
		c.words.Set(language.Tr("{{.Name}} is there already. Replace it, or give another name.", map[string]any{"Name": filepath.Base(path)}))
	default:
		c.chosen(path)
	}
}

func (c *chooser) chosen(path string) {
	if c.frame.folder = path; !c.folders {
		c.frame.folder = filepath.Dir(path)
	}
	c.dialog.Hide()
	c.then(path)
}

// fileRow is a line of the list.
type fileRow struct {
	widget.Composed
	icon      *toolkit.Icon
	name, day *widget.Label
	press     func()
}

func newFileRow() fyne.CanvasObject {
	r := &fileRow{icon: toolkit.NewIcon(nil), name: widget.NewLabel("", 14, theme.ColorNameForeground).OfName(), day: widget.NewLabel("", 12, widget.ColorMuted).Natural()}
	r.Compose(r, container.New(layout.NewCustomPaddedLayout(4, 4, 4, 10), container.NewBorder(nil, nil, r.icon, r.day, r.name)))
	return r
}

func (r *fileRow) set(one file, press func()) {
	r.press = press
	icon := theme.FileIcon()
	if one.folder {
		icon = theme.FolderIcon()
	}
	r.icon.SetResource(icon)
	r.name.Set(one.name)
	r.day.Set(language.Day(one.day))
}

func (r *fileRow) Tapped(*fyne.PointEvent) { r.press() }
