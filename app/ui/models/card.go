package models

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
	"inkshade/recognizer/train"
)

func (p *Page) fill(c *widget.ListCard, e *modelEntry) {
	p.want(e)
	if c.Ground.Edged(widget.ColorBorder, 1); e == p.entry() {
		c.Ground.Edged(theme.ColorNamePrimary, 2)
	}
	role := ""
	if p.inUse(e) {
		role = language.Tr("in use")
	}
	words := e.words()
	if words[3] == "" { // no gap
		words[3], words[4] = words[4], ""
	}
	c.Chosen = func() { p.show(e.Name) }
	c.Set(p.title(e), role, words[:]...)
}

// title is what people call a model on the page.
func (p *Page) title(e *modelEntry) string {
	if e.Kind == state.Trained {
		return cmp.Or(e.Title, fmt.Sprintf("%s @%d", language.ModelName(e.Base), e.ID))
	}
	return language.ModelName(e.Base)
}

// words are what its card says: kind, classes, size, how it did in the test, and what was measured here.
func (e *modelEntry) words() [5]string {
	kind := map[state.ModelKind]string{
		state.Shipped: language.Tr("ships with Inkshade"), state.Trained: language.Tr("trained on your samples"),
		state.Imported: language.Tr("opened by you"), state.File: language.Tr("a file"),
	}[e.Kind]
	switch {
	case e.facts == nil && e.problem == nil:
		return [5]string{kind}
	case e.facts == nil:
		return [5]string{kind, language.Tr("It cannot be used: {{.Reason}}", map[string]any{"Reason": language.Said(e.problem)})}
	}
	labels := e.facts.Labels
	bytes := language.Number("%.1f\u00a0%s", float64(e.facts.Bytes)/1e6, language.Tr("MB"))
	if e.facts.Bytes < 1e5 {
		bytes = language.Number("%.1f\u00a0%s", float64(e.facts.Bytes)/1e3, language.Tr("KB"))
	}
	size := language.Tr("{{.Parameters}} parameters, {{.Size}}", map[string]any{"Parameters": e.facts.Parameters, "Size": bytes})
	tested, measured := "", []string(nil)
	if e.score != nil && e.score.samples > 0 {
		measured = append(measured, language.Tr("of yours {{.Share}}", map[string]any{"Share": e.score.share()}))
	}
	if e.time != 0 {
		measured = append(measured, language.Duration(e.time))
	}
	if e.facts.Measured {
		values := map[string]any{"Percent": language.Number("%.3g", e.facts.ErrorPercent), "Count": e.facts.Tested}
		tested = language.Tr("test: {{.Percent}} % of {{.Count}} wrong", values)
		if e.lines() {
			tested = language.Tr("test: {{.Percent}} % of {{.Count}} lines wrong", values)
		}
	}
	return [5]string{kind, language.Tr("{{.Count}} classes: {{.Labels}}", map[string]any{"Count": len(labels), "Labels": strings.Join(labels[:min(len(labels), 40)], " ")}), size, tested, strings.Join(measured, " · ")}
}

// modelHead says what is known of the model that is open, and what can be done with it.
type modelHead struct {
	page                                       *Page
	title, words                               *widget.Label
	facts                                      string
	use, classes, rename, feed, export, remove *widget.Button
	content                                    *fyne.Container
}

func newModelHead(p *Page) *modelHead {
	tool := func(icon fyne.Resource, name string, do func(*modelEntry)) *widget.Button {
		return widget.NewToolButton(icon, name, "", func() { do(p.entry()) })
	}
	h := &modelHead{
		page: p, title: widget.NewLabel("", 17, theme.ColorNameForeground).Bold().OfName(), words: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(3),
		use: tool(theme.ConfirmIcon(), language.Tr("Use"), p.use), rename: tool(theme.DocumentCreateIcon(), language.Tr("Rename…"), p.askName),
		feed: tool(theme.SettingsIcon(), language.Tr("Input…"), p.feedAgain), remove: tool(theme.DeleteIcon(), language.Tr("Remove"), p.remove),
	}
	h.classes = tool(theme.ListIcon(), language.Tr("Classes…"), p.showClasses)
	h.export = tool(theme.DocumentSaveIcon(), language.Tr("Export…"), func(e *modelEntry) {
		p.win.ChooseTarget(language.Tr("Export"), strings.ReplaceAll(p.title(e), " ", "-")+Endings[0], func(path string) { p.export(e, path) })
	})
	h.content = container.New(widget.Arranged{Least: widget.AtLeast(400, 60), Put: func(size fyne.Size) {
		a := widget.Whole(size)
		top := a.Top(headButton, 4)
		for _, b := range []*widget.Button{h.remove, h.export, h.feed, h.rename, h.classes, h.use} {
			if b.Visible() {
				top.Right(b.MinSize().Width, 6).Put(b)
			}
		}
		top.Right(8, 0)
		words := h.facts
		h.title.Hidden = top.Size.Width < 72
		if h.title.Hidden || !h.title.Whole(top.Size.Width) {
			words = h.title.Text + " · " + words
		}
		h.words.Set(words)
		top.Put(h.title)
		a.Top(h.words.Most(), 0).Put(h.words)
	}}, h.title, h.words, h.use, h.classes, h.rename, h.feed, h.export, h.remove)
	h.show(nil)
	return h
}

const headButton = 36

// height is that of two lines of words or, where they need it, three.
func (h *modelHead) height(width float32) float32 {
	return headButton + 4 + max(2*h.words.LineHeight(), h.words.Height(width))
}

func (h *modelHead) show(e *modelEntry) {
	if widget.Show(h.content, e != nil); e == nil {
		return
	}
	lines := e.words()
	if e.Kind == state.Shipped {
		lines[0] += ", " + e.Name
	}
	if on := e.testedOn(); lines[3] != "" && on != "" { // its card has no room
		lines[3] += " (" + on + ")"
	}
	words := slices.DeleteFunc(lines[:4], func(line string) bool { return line == "" })
	if e.facts != nil {
		words[1] = seesWords(e.facts.Preprocessing) // its card says the classes
		if e.score != nil && e.score.samples > 0 {
			words = append(words, language.Tr("{{.Wrong}} of {{.Count}} of your samples kept for testing wrong", map[string]any{"Wrong": e.score.wrong, "Count": e.score.samples}))
		}
		if e.time != 0 {
			words = append(words, language.Tr("{{.Time}} for one drawing on the CPU", map[string]any{"Time": language.Duration(e.time)}))
		}
		if e.gpu != 0 {
			words = append(words, language.Tr("{{.Time}} on the GPU", map[string]any{"Time": language.Duration(e.gpu)}))
		}
	}
	h.title.Set(h.page.title(e))
	h.facts = strings.Join(words, " · ")
	widget.Show(h.use, e.facts != nil && !h.page.inUse(e))
	widget.Show(h.rename, e.Kind == state.Imported || e.Kind == state.Trained)
	widget.Show(h.feed, e.Kind == state.Imported)
	widget.Show(h.export, e.facts != nil)
	widget.Show(h.classes, e.facts != nil)
	widget.Show(h.remove, e.Removable())
	h.remove.Allow(!h.page.inUse(e), inUseWords())
	for _, b := range []*widget.Button{h.use, h.remove} {
		if b.Focused && (b.Disabled() || !b.Visible()) {
			h.page.win.Win.Canvas().Focus(h.page.list)
		}
	}
	widget.Rearrange(h.content)
	widget.Rearrange(h.page.right)
}

// Endings are those of files of models.
var Endings = []string{".onnx"}

// use puts a model in force and in use, and remembers it.
func (p *Page) use(e *modelEntry) {
	p.win.WhenIdle(func() {
		before := int64(0)
		for _, other := range p.entries {
			if other.Base == e.Base && other.Active {
				before = other.ID
			}
		}
		p.win.Perform(p.win.Using(language.Tr("{{.Name}} is in use.", map[string]any{"Name": p.title(e)}), e.Base, e.ID, before))
	})
}

func inUseWords() string { return language.Tr("This model is in use; choose another one first.") }

// busy says that a model is in use and must stay as it is, if it must.
func (p *Page) busy(e *modelEntry) bool {
	if p.inUse(e) {
		p.win.Toast.Say(inUseWords())
	}
	return p.inUse(e)
}

func (p *Page) remove(e *modelEntry) {
	if !p.busy(e) { // since the button was shown
		p.win.Perform(page.Action{Text: language.Tr("{{.Name}} removed.", map[string]any{"Name": p.title(e)}), Command: e.Remove()})
	}
}

// askName asks for another name of an imported model, or a title of a trained one.
func (p *Page) askName(e *modelEntry) {
	trained, text, check := e.Kind == state.Trained, e.Title, (func(string) error)(nil)
	if !trained {
		text, check = e.Name, func(text string) error { return p.win.Collection.Store.Check(strings.TrimSpace(text)) }
	}
	p.win.AskText(language.Tr("Rename"), language.Tr("Rename"), language.Tr("Name"), p.title(e), text, "", check, func(name string) {
		name = strings.TrimSpace(name)
		a := page.Action{
			Text:    language.Tr("{{.Name}} is now called {{.New}}.", map[string]any{"Name": p.title(e), "New": cmp.Or(name, e.Name)}),
			Command: p.store().SetTitle(e.ID, name, e.Title),
		}
		if !trained {
			a.Command, p.open = p.store().Rename(e.Name, name), name
			a.Shown = func(done bool) { p.moved(e, name, done) }
		}
		p.win.Perform(a)
	})
}

// moved has an imported model that was in use answer from the file of its new name or, where that was taken back, of the one before.
func (p *Page) moved(e *modelEntry, name string, done bool) {
	from, to := e.Base, p.fileOf(name)
	if !done {
		from, to, p.open = to, from, e.Name
	}
	if p.win.Asked() == from {
		p.win.AnswerBy(to)
	}
}

// fileOf is that of an imported model of that name.
func (p *Page) fileOf(name string) string {
	path, _, _ := p.store().Path(name)
	return path
}

func (p *Page) export(e *modelEntry, path string) {
	p.win.Save(func() error {
		data, err := e.File()
		if err != nil {
			return err
		}
		return files.WriteShared(path, func(out io.Writer) error {
			_, err := out.Write(data)
			return err
		})
	}, func() { p.win.Toast.Say(language.Tr("Exported to {{.Path}}.", map[string]any{"Path": path})) }, p.win.Tell)
}

// Choose asks for a file to open, from any page.
func (p *Page) Choose() { p.win.ChooseFile(language.Tr("Open a model"), Endings, p.Take) }

// Take opens the model of a file on its page.
func (p *Page) Take(path string) {
	p.win.Open("models")
	p.openFile(path)
}

// score is how a model did on the person's samples kept for testing.
type score struct {
	samples, wrong int // of its classes
	others         int // of other classes, which were left out
}

func (s *score) share() string {
	if s.samples == 0 {
		return "–"
	}
	return language.Number("%.1f %%", 100*float64(s.wrong)/float64(s.samples))
}

// measureAll answers the samples kept for testing with every model, without the memory, and shows a table.
func (p *Page) measureAll() {
	w, entries, book := p.win, p.entries, p.win.Book
	var held []samples.Sample
	scores, times := map[string]*score{}, map[string]time.Duration{} // by the name of the model
	for _, e := range entries {
		times[e.Name] = e.time
	}
	measuring := language.Tr("Measuring the models")
	w.Job(measuring, language.Tr("Your samples kept for testing"), measuring, language.Tr("Cancelled; nothing was measured."), func(ctx context.Context, tell func(done, all int)) (err error) {
		held, err = book.Samples().List(samples.Filter{Part: samples.HeldOut})
		for i, e := range entries {
			if err != nil || len(held) == 0 || ctx.Err() != nil {
				break
			}
			if m, facts, unusable := e.Read(ctx); unusable == nil && facts.Preprocessing != nn.LineMaps {
				if times[e.Name] == 0 {
					t, _ := p.Measure(m)
					times[e.Name] = t.Total()
				}
				scores[e.Name], err = measured(ctx, m, held)
			}
			tell(i+1, len(entries))
		}
		return cmp.Or(ctx.Err(), err)
	}, func() {
		if len(held) == 0 {
			w.Toast.Say(language.Tr("No sample is kept for testing. Learn once, or keep some for testing on the Samples page."))
			return
		}
		for _, e := range p.entries {
			e.score, e.time = scores[e.Name], times[e.Name]
		}
		p.showAll()
		p.showScores()
	})
}

// measured answers samples with a model on the processor.
func measured(ctx context.Context, m *nn.Model, held []samples.Sample) (*score, error) {
	var known []dataset.Sample
	for _, x := range held {
		if m.Class(x.Label) >= 0 {
			known = append(known, dataset.Sample{Label: x.Label, Ink: x.Ink})
		}
	}
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		return nil, err
	}
	defer dev.Close()
	if err := dataset.Draw(ctx, known); err != nil {
		return nil, err
	}
	e, err := train.Evaluate(ctx, dev, m, known)
	if err != nil {
		return nil, err
	}
	return &score{samples: e.Samples, wrong: e.Errors, others: len(held) - len(known)}, nil
}

// scoreTable is what was measured of all models, a row for each.
func (p *Page) scoreTable() [][]string {
	table := [][]string{{language.Tr("Model"), language.Tr("Samples"), language.Tr("Wrong"), language.Tr("Share"), language.Tr("Other classes"), language.Tr("One drawing")}}
	for _, e := range p.entries {
		if s := e.score; s != nil {
			table = append(table, []string{
				p.title(e), fmt.Sprint(s.samples), fmt.Sprint(s.wrong), s.share(), fmt.Sprint(s.others), language.Duration(e.time),
			})
		}
	}
	return table
}

func (p *Page) showScores() {
	table := p.scoreTable()
	grid := container.New(layout.NewGridLayoutWithColumns(len(table[0])))
	for i, row := range table {
		for j, text := range row {
			l := widget.NewLabel(text, 13, theme.ColorNameForeground).Natural()
			if j > 0 {
				l.Aligned(fyne.TextAlignTrailing)
			}
			if i == 0 {
				l.Bold()
			}
			grid.Add(l)
		}
	}
	words := widget.NewLabel(language.Tr("Each model alone, without what is remembered of your writing, on the CPU. Samples of classes that a model does not have are not counted."),
		12, widget.ColorMuted).Wrapped(2)
	clear := container.New(layout.NewCustomPaddedLayout(0, 0, 0, 16), grid) // of the bar
	p.win.Dialog(language.Tr("Your samples kept for testing"), container.NewBorder(nil, words, nil, nil, container.NewVScroll(container.NewVBox(clear))),
		fyne.NewSize(760, 420))
}
