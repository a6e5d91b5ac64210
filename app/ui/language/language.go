// Package language says the texts of the window in the language of the person.
package language

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"golang.org/x/text/language"

	"inkshade/app/state/setting"
	"inkshade/glcompute/message"
	"inkshade/models"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Translations holds a catalogue for each language but English: a JSON object with the English texts as keys.
//
//go:embed translations
var Translations embed.FS

// A Choice is a language that can be chosen.
type Choice struct{ Code, Name string }

// All are the languages that can be chosen, by their names in themselves.
var All = []Choice{{"en", "English"}, {"de", "Deutsch"}, {"es", "Español"}, {"fr", "Français"}, {"ja", "日本語"}, {"zh-Hans", "中文"}}

// OfToolkit are the texts that the toolkit shows in this window: menus of entries, and of the program.
var OfToolkit = []string{"Copy", "Cut", "Paste", "Quit", "Redo", "Select all", "Undo"}

// OfSystem are the errors of files that systems tell, as Go's package syscall writes them.
var OfSystem = []string{
	"file exists", "is a directory", "no space left on device", "no such file or directory", "not a directory", "permission denied",
	"read-only file system",
}

// Speak sets the language of all texts, the toolkit's among them: what was chosen, or else that of the system, or English.
func Speak(a fyne.App) {
	Use(Chosen(setting.Language.Get(a.Preferences()), lang.SystemLocale().String()))
}

// Chosen is the code of the language to speak: the one that was chosen, or else what is nearest to the system's.
func Chosen(code, system string) string {
	tags := make([]language.Tag, len(All))
	for i, l := range All {
		if l.Code == code {
			return code
		}
		tags[i] = language.Make(l.Code)
	}
	_, i, sure := language.NewMatcher(tags).Match(language.Make(system))
	if sure < language.High {
		i = 0
	}
	return All[i].Code
}

// Written is the place among line.Languages of what a person writes: what was chosen, or else English where the system speaks that, and
// anything where it does not.
func Written(chosen, system string) int {
	if base, sure := language.Make(system).Base(); chosen == "" && sure == language.Exact && base.String() == "en" {
		chosen = string(line.English)
	}
	return max(slices.Index(line.Languages, line.Language(chosen)), 0)
}

// catalogue is what a language says for English texts; English has none.
type catalogue struct {
	code  string
	texts map[string]string
}

var spoken atomic.Pointer[catalogue]

// Spoken is the code of the language in use.
func Spoken() string {
	if c := spoken.Load(); c != nil {
		return c.code
	}
	return All[0].Code
}

// Use sets the language by its code. The toolkit takes the system's by itself, so what it says in the system's is replaced.
func Use(code string) {
	texts := map[string]string{}
	if code != All[0].Code {
		data, err := Translations.ReadFile("translations/" + code + ".json")
		if err == nil {
			err = json.Unmarshal(data, &texts)
		}
		if err != nil {
			fyne.LogError("The translations inside the program could not be read", err)
		}
	}
	spoken.Store(&catalogue{code, texts})
	theirs := map[string]string{}
	for _, text := range OfToolkit {
		theirs[text] = translation(text)
	}
	data, err := json.Marshal(theirs)
	if err == nil {
		err = lang.AddTranslationsForLocale(data, lang.SystemLocale())
	}
	if err != nil {
		fyne.LogError("The toolkit's texts stay in the system's language", err)
	}
}

// Tr translates a text of the window; the English text is its key. Values are named in the text as {{.Name}}.
func Tr(text string, values ...map[string]any) string {
	text = translation(text)
	for _, named := range values {
		pairs := make([]string, 0, 2*len(named))
		for name, value := range named {
			pairs = append(pairs, "{{."+name+"}}", fmt.Sprint(value))
		}
		text = strings.NewReplacer(pairs...).Replace(text)
	}
	return text
}

// Sentences puts sentences behind each other, but for empty ones. After the full stop of Chinese there is no space.
func Sentences(all ...string) string {
	text := ""
	for _, s := range all {
		if text != "" && s != "" && !strings.HasSuffix(text, "。") {
			text += " "
		}
		text += s
	}
	return text
}

// Sentence begins a text that stands alone with a capital letter, unless it begins with a name of some kind.
func Sentence(text string) string {
	if first, _, _ := strings.Cut(text, " "); plainWord.MatchString(first) {
		letter, size := utf8.DecodeRuneInString(text)
		return string(unicode.ToUpper(letter)) + text[size:]
	}
	return text
}

var plainWord = regexp.MustCompile(`^\p{Ll}[\p{Ll}’']*$`)

// ModelName is what people call a model: one that ships by what it reads, another by its name or that of its file.
func ModelName(name string) string {
	shipped := map[string]string{
		"digits-cnn": Tr("Digits"), "digits-mlp": Tr("Digits (faster)"), "chinese-cnn": Tr("Chinese"), "symbols": Tr("LaTeX symbols"),
		"characters-cnn": Tr("Characters"), "characters-mlp": Tr("Characters (faster)"), models.Words: Tr("Words"),
	}
	return cmp.Or(shipped[name], strings.TrimSuffix(filepath.Base(name), ".onnx"))
}

// About says something of a model.
func About(model, text string) string {
	return Tr("{{.Model}}: {{.Text}}", map[string]any{"Model": ModelName(model), "Text": text})
}

// InWords translates what layers and operations are called.
func InWords(text string) string {
	words := []string{
		"concat", Tr("concatenate"), "max of groups", Tr("max of groups"), "mean of groups", Tr("mean of groups"),
		"padding", Tr("padding"), "product", Tr("product"), "slice", Tr("slice"), "stride", Tr("stride"), "transpose", Tr("transpose"),
	}
	var layers []string // longer than the words that they begin with, so they come first
	for _, name := range nn.KindNames() {
		layers = append(layers, name, Tr(name))
	}
	return strings.NewReplacer(append(layers, words...)...).Replace(text)
}

// Said is a message or an error in the language of the person, or a text that has no values. What has no translation stays English.
func Said(value any) string {
	if text, ok := value.(string); ok {
		return translation(text)
	}
	return message.Say(value, translation)
}

// AllSaid are sentences behind each other.
func AllSaid(all []*message.Message) string {
	said := make([]string, len(all))
	for i, one := range all {
		said[i] = Said(one)
	}
	return Sentences(said...)
}

// translation is the text of the catalogue for an English one, a number as the language writes it, or the text itself.
func translation(text string) string {
	if c := spoken.Load(); c != nil && c.texts[text] != "" {
		return c.texts[text]
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return Number("%s", text)
	}
	return text
}

// Number writes numbers with a decimal comma where the language has it.
func Number(format string, values ...any) string {
	text := fmt.Sprintf(format, values...)
	switch Spoken() {
	case "de", "es", "fr":
		return strings.ReplaceAll(text, ".", ",")
	}
	return text
}

// Percent writes a probability with one decimal and without pretending certainty.
func Percent(p float64) string {
	switch {
	case p >= 0.9995:
		return Number("> 99.9 %%")
	case p < 0.0005:
		return Number("< 0.1 %%")
	}
	return Number("%.1f %%", 100*p)
}

// Duration writes a time in microseconds below a millisecond, else in milliseconds. No line ends before the unit.
func Duration(d time.Duration) string {
	if d < time.Millisecond {
		return Microseconds(d) + "\u00a0µs"
	}
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return Number("%.0f\u00a0ms", ms)
	case ms >= 10:
		return Number("%.1f\u00a0ms", ms)
	}
	return Number("%.2f\u00a0ms", ms)
}

// Microseconds writes a time in µs without the unit, with a decimal below ten.
func Microseconds(d time.Duration) string {
	us := float64(d) / float64(time.Microsecond)
	if us < 9.95 {
		return Number("%.1f", us)
	}
	return Number("%.0f", us)
}

// OneOrMany names a number of things; one is the text for exactly one of them.
func OneOrMany(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func Counted(n int) map[string]any { return map[string]any{"Count": n} }

func DrawingCount(n int) string {
	return OneOrMany(n, Tr("1 drawing"), Tr("{{.Count}} drawings", Counted(n)))
}

// Few lists labels, the first of many.
func Few(labels []string) string {
	const most = 12
	if len(labels) <= most {
		return strings.Join(labels, " ")
	}
	return Tr("{{.Labels}} and {{.Count}} more", map[string]any{"Labels": strings.Join(labels[:most], " "), "Count": len(labels) - most})
}

// Day writes a date and the time of day.
func Day(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
