package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/uitest"
	"inkshade/glcompute"
	"inkshade/glcompute/glcontext"
	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
)

// texts are those that people are told, by where the program has them: what package message makes a message of, and what the
// window translates itself.
type texts struct{ messages, window map[string]string }

// textsOfProgram finds them by the functions that are called: those of packages message and language, and those that hand the
// format that they are given on to one of them.
func textsOfProgram(t *testing.T) texts {
	t.Helper()
	const root, module = "../..", "inkshade/"
	all := texts{map[string]string{}, map[string]string{}}
	type teller struct {
		in map[string]string
		at int // the place of the format among the arguments
	}
	// Functions by the directory of their package and name.
	told := map[string]teller{"glcompute/message.Errorf": {in: all.messages}, "glcompute/message.Text": {in: all.messages}, "app/ui/language.Tr": {in: all.window}}
	files := map[string]*ast.File{}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".pb.go") {
			return err
		}
		files[path], err = parser.ParseFile(token.NewFileSet(), path, nil, 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	each := func(visit func(path string, f *ast.FuncDecl, call *ast.CallExpr, by teller)) {
		for path, file := range files {
			dir, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				t.Fatal(err)
			}
			imported := map[string]string{"": filepath.ToSlash(dir)}
			for _, spec := range file.Imports {
				of, inside := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
				name := of[strings.LastIndex(of, "/")+1:]
				if spec.Name != nil {
					name = spec.Name.Name
				}
				if inside {
					imported[name] = of
				}
			}
			for _, d := range file.Decls {
				f, _ := d.(*ast.FuncDecl)
				ast.Inspect(d, func(n ast.Node) bool {
					if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 {
						name := called(call)
						of, function, selected := strings.Cut(name, ".")
						if !selected {
							of, function = "", name
						} else if imported[of] == "" {
							of = "" // a method, of a type of this package as far as it matters here
						}
						if by := told[imported[of]+"."+function]; by.in != nil {
							visit(path, f, call, by)
						}
					}
					return true
				})
			}
		}
	}
	// handedOn is the place of the format among the parameters of the function that a call stands in, -1 where it is none of them.
	handedOn := func(f *ast.FuncDecl, format ast.Expr) int {
		name, ok := format.(*ast.Ident)
		if !ok || f == nil {
			return -1
		}
		var parameters []string
		for _, p := range f.Type.Params.List {
			for _, n := range p.Names {
				parameters = append(parameters, n.Name)
			}
		}
		return slices.Index(parameters, name.Name)
	}
	for known := 0; known < len(told); { // one may hand on to another
		known = len(told)
		each(func(path string, f *ast.FuncDecl, call *ast.CallExpr, by teller) {
			if at := handedOn(f, call.Args[by.at]); at >= 0 {
				dir, _ := filepath.Rel(root, filepath.Dir(path))
				told[filepath.ToSlash(dir)+"."+f.Name.Name] = teller{by.in, at}
			}
		})
	}
	each(func(path string, f *ast.FuncDecl, call *ast.CallExpr, by teller) {
		text, written := literal(call.Args[by.at])
		if written {
			by.in[text] = path
		} else if handedOn(f, call.Args[by.at]) < 0 && strings.Contains(called(call), "message.") {
			t.Errorf("%s: a message whose format is not written there", path)
		}
	})
	return all
}

// literal is a text of one or more parts as it is written in the program.
func literal(x ast.Expr) (text string, written bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, first := literal(x.X)
		right, second := literal(x.Y)
		return left + right, first && second
	}
	return "", false
}

// words tells whether a format has any beside its verbs.
func words(format string) bool {
	return regexp.MustCompile(`[a-z]{2}`).MatchString(verb.ReplaceAllString(format, ""))
}

var verb = regexp.MustCompile(`%%|%(\[\d+\])?[-+# 0]*[0-9]*(\.[0-9]+)?[a-zA-Z]`)

// Every text that the program makes a message of or shows has a line in each catalogue, with a place for each of its values, and
// no line is left over.
func TestCataloguesAreComplete(t *testing.T) {
	all := textsOfProgram(t)
	if len(all.messages) < 300 || len(all.window) < 300 {
		t.Errorf("only %d messages and %d texts of the window were found", len(all.messages), len(all.window))
	}
	for _, text := range slices.Concat(language.OfToolkit, language.OfSystem, nn.KindNames()) {
		all.window[text] = "the toolkit, the system or the kinds of layers"
	}
	for _, s := range personal.Adjustable {
		all.window[s.Title], all.window[s.Meaning] = "the settings of a training", "the settings of a training"
	}
	delete(all.window, "")
	catalogues, err := language.Translations.ReadDir("translations")
	if err != nil || len(catalogues) != len(language.All)-1 {
		t.Fatalf("%d catalogues, %v", len(catalogues), err)
	}
	for _, file := range catalogues {
		data, err := language.Translations.ReadFile("translations/" + file.Name())
		var lines map[string]string
		if err != nil || json.Unmarshal(data, &lines) != nil {
			t.Fatal(file.Name(), err)
		}
		if found, _, _ := new(state.Folder).Find(lines[state.First]); found != state.First {
			t.Errorf("%s calls the first collection %q, which the command line does not know", file.Name(), lines[state.First])
		}
		for text, path := range all.window {
			if lines[text] == "" {
				t.Errorf("%s has no line for %q of %s", file.Name(), text, path)
			}
		}
		for text, path := range all.messages {
			if lines[text] == "" && words(text) {
				t.Errorf("%s has no line for %q of %s, with %%s for each value", file.Name(), text, path)
			}
		}
		for text, said := range lines {
			if all.window[text] != "" {
				continue
			}
			if all.messages[text] == "" {
				t.Errorf("%s has a line for %q, which nothing says", file.Name(), text)
			}
			values := make([]any, len(slices.DeleteFunc(verb.FindAllString(text, -1), func(v string) bool { return v == "%%" })))
			for i := range values {
				values[i] = fmt.Sprintf("<%d>", i)
			}
			made := fmt.Sprintf(said, values...)
			if strings.Contains(made, "%!") || slices.ContainsFunc(values, func(v any) bool { return strings.Count(made, v.(string)) != 1 }) {
				t.Errorf("%s makes %q of %q", file.Name(), made, text)
			}
		}
	}
}

// An error is said in the language of the window, with the messages and errors in it; what is no message stays as it is.
func TestSaid(t *testing.T) {
	label := message.Errorf("a sample needs a label: type the character that was meant")
	tried := &glcontext.NoContextError{Version: glcontext.Version{Major: 4, Minor: 3}, Attempts: []error{
		message.Errorf("EGL default display: %w", message.Errorf("%s failed: EGL error %#x (%s)", "eglInitialize", 0x3001, "EGL_NOT_INITIALIZED")),
		message.Errorf("libEGL: %w", message.Errorf("it offers neither a display nor a device")),
	}}
	said := map[any]string{
		message.Errorf("%v: %w", message.Text("sample %d", 7), label):                  "样本 7: 样本需要标签，请输入所写的字符",
		message.Text("left out: one replay would take about %s", 600*time.Millisecond): "略去：运行一次约需 600ms",
		fmt.Errorf("/tmp/a: %w", label):                                                "/tmp/a: 样本需要标签，请输入所写的字符",
		message.List([]error{message.Errorf("the %s device cannot be opened: %w", glcompute.Compute, tried), glcompute.ErrLost}): "无法打开 compute 设备：没有 OpenGL 4.3 核心上下文：" +
			"EGL default display: eglInitialize 失败：EGL 错误 0x3001（EGL_NOT_INITIALIZED）；libEGL: 既没有显示也没有设备。安装本机的显卡驱动或 Mesa 的软件渲染器会有帮助；OpenGL 上下文已丢失",
		message.Errorf("%s: %w", "a", &fs.PathError{Op: "open", Path: "b", Err: syscall.ENOENT}): "a: open b: 没有这个文件或文件夹",
		errors.New("nobody knows %this {{.Place}}"):                                              "nobody knows %this {{.Place}}",
		"Home": "主文件夹", "a {{.File}}": "a {{.File}}",
	}
	for value := range said {
		if got := language.Said(value); got != fmt.Sprint(value) {
			t.Errorf("in English %v became %q", value, got)
		}
	}
	uitest.InChinese(t)
	for value, want := range said {
		if got := language.Said(value); got != want {
			t.Errorf("%v became %q, want %q", value, got, want)
		}
	}
}

// Sentences of Chinese stand without a space, those of English with one.
func TestSentences(t *testing.T) {
	for want, all := range map[string][]string{"一。二。": {"一。", "", "二。"}, "One. Two.": {"", "One.", "Two.", ""}, "": {}} {
		if got := language.Sentences(all...); got != want {
			t.Errorf("%q became %q, want %q", all, got, want)
		}
	}
}

// What other rooms say must be given to said before it is shown.
func TestWhatOthersSayIsTranslated(t *testing.T) {
	checked := 0
	for _, f := range sources(t) {
		if strings.HasSuffix(f, "_test.go") || strings.HasPrefix(f, "uitest/") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CallExpr:
				if isSaid(x) || called(x) == "panic" {
					checked++
					return false
				}
				if s, ok := x.Fun.(*ast.SelectorExpr); ok && len(x.Args) == 0 {
					if s.Sel.Name == "Error" {
						t.Errorf("%s: an error is shown as it is", set.Position(x.Pos()))
					}
					return false
				}
			case *ast.CompositeLit:
				if name, ok := x.Type.(*ast.SelectorExpr); ok && name.Sel.Name == "Event" {
					return false // a trace stays English
				}
			case *ast.KeyValueExpr:
				if key, ok := x.Key.(*ast.BasicLit); ok && key.Value == `"Reason"` {
					if call, ok := x.Value.(*ast.CallExpr); !ok || !isSaid(call) {
						t.Errorf("%s: a reason is shown as it is", set.Position(x.Pos()))
					}
				}
			case *ast.BinaryExpr:
				return x.Op == token.ADD || x.Op == token.LAND || x.Op == token.LOR
			case *ast.SwitchStmt:
				return x.Tag == nil
			case *ast.SelectorExpr:
				if name := x.Sel.Name; name == "Missing" || name == "Reason" || name == "Reasons" || name == "Fallback" {
					t.Errorf("%s: %s is shown as it is", set.Position(x.Pos()), x.Sel.Name)
				}
			}
			return true
		})
	}
	if checked < 10 {
		t.Errorf("only %d calls of said were found", checked)
	}
}

// isSaid tells whether a call translates what another room says.
func isSaid(call *ast.CallExpr) bool {
	name := strings.TrimPrefix(called(call), "language.")
	return name == "Said" || name == "AllSaid"
}

// called names the function of a call: f, or p.F.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if p, ok := f.X.(*ast.Ident); ok {
			return p.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// What stands alone begins with a capital letter, but a name stays as it is.
func TestSentencesBeginWithACapital(t *testing.T) {
	for text, want := range map[string]string{
		"cannot import a.jsonl: no ink": "Cannot import a.jsonl: no ink", "a.png: damaged": "a.png: damaged",
		"/tmp is no file": "/tmp is no file", "无法导入": "无法导入", "": "",
	} {
		if got := language.Sentence(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// sources are the files of the window's packages.
func sources(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	below, err2 := filepath.Glob("*/*.go")
	if files = append(files, below...); errors.Join(err, err2) != nil || len(files) < 10 {
		t.Fatalf("found %d files: %v, %v", len(files), err, err2)
	}
	return files
}

// Why a picture cannot be read is said in the language of the window.
func TestWhyAPictureIsNotReadIsSaid(t *testing.T) {
	uitest.InChinese(t)
	_, err := dataset.OpenPicture(strings.NewReader("no picture"))
	if got, want := language.Said(err), "这不是可读取的 PNG、JPEG、GIF 或 WebP 图片（image: unknown format）"; got != want {
		t.Errorf("it became %q, want %q", got, want)
	}
}
