package ui

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"inkshade/app/ui/language"
	"inkshade/app/ui/uitest"
	"inkshade/glcompute/glcontext"
)

// spokenFor are the rooms, and of some the files, whose errors and notes the window shows to people.
var spokenFor = []string{
	"../panel/keyboard",
	"../state", "../state/device",
	"../../recognizer", "../../recognizer/line", "../../recognizer/feature", "../../recognizer/inputformat", "../../recognizer/budget", "../../recognizer/nn/network.go", "../../recognizer/nn/inference.go", "../../recognizer/nn/model.go", "../../recognizer/nn/onnx", "../../recognizer/nn/onnx/internal/graph", "../../recognizer/nn/steps.go", "../../recognizer/train/session.go", "../../recognizer/train/learner.go", "../../recognizer/train/setting.go", "../../recognizer/bench", "../../recognizer/ink", "../../recognizer/files", "../../recognizer/mislabelled", "../../recognizer/personal", "../../recognizer/samples",
	"../../glcompute", "../../glcompute/glcontext", "../../glcompute/fragment", "../../glcompute/compute",
	"../../glcompute/internal/gldevice", "../../glcompute/internal/glops", "../../glcompute/internal/program",
}

// foreignSentences are the texts with which those rooms make errors, and say why something is
// missing.
func foreignSentences(t *testing.T) map[string]string {
	t.Helper()
	where := map[string]string{}
	for _, room := range spokenFor {
		pattern := room
		if filepath.Ext(room) != ".go" {
			pattern += "/*.go"
		}
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s holds %d files: %v", room, len(files), err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				for _, x := range sayings(n) {
					if s := format(x); regexp.MustCompile(`[a-z]{2}`).MatchString(language.Verb.ReplaceAllString(s, "")) {
						where[s] = f
					}
				}
				return true
			})
		}
	}
	return where
}

// Every error and note that the window passes on to people must have a Chinese translation
// with a place for each of its values, and none may be left over.
func TestForeignSentencesAreTranslated(t *testing.T) {
	chinese := readTranslations(t, "errors.zh_Hans.json")
	foreign := foreignSentences(t)
	if len(foreign) < 50 {
		t.Errorf("only %d sentences were found", len(foreign))
	}
	for s, file := range foreign {
		if chinese[s] == "" {
			t.Errorf("no Chinese for %q of %s: add it to language/translations/errors.zh_Hans.json, with %%s for each value", s, file)
		}
	}
	for s, c := range chinese {
		if foreign[s] == "" {
			t.Errorf("Chinese for %q, which nothing says", s)
		}
		places := language.Verb.FindAllString(c, -1)
		if len(places) != len(language.Verb.FindAllString(s, -1)) || slices.ContainsFunc(places, func(v string) bool { return v != "%s" }) {
			t.Errorf("%q: the Chinese has the places %q", s, places)
		}
	}
}

func TestSaid(t *testing.T) {
	const disk = "cannot save the sample: the disk is full; nothing was changed: free some space and try again"
	for _, s := range []string{disk, "left out: one replay would take about 600ms", "nobody knows %this"} {
		if got := language.Said(s); got != s {
			t.Errorf("in English %q became %q", s, got)
		}
	}
	uitest.InChinese(t)
	for s, want := range map[string]string{
		"sample 7: a sample needs a label: type the character that was meant": "样本 7: 样本需要标签，请键入所写的字符",
		"cannot import a.unipen: line 3 holds \"x\" where a number should be": "无法导入 a.unipen：第 3 行：应为数字处是 \"x\"",
		"left out: one replay would take about 600ms":                         "略去：运行一次约需 600ms",
		"the disk is full": "磁盘已满",
		disk:               "无法保存样本：磁盘已满，没有任何改变，请腾出空间后重试",
		"mine.jsonl: the drawing is empty: draw something first":                      "mine.jsonl: 没有字迹，请先书写",
		"no device can be measured: no OpenGL\nthe disk is full":                      "没有可测量的设备：no OpenGL\n磁盘已满",
		"there are 3 samples to learn from, fewer than 5; draw and correct some more": "可供学习的样本有 3 个，少于 5 个，请再书写并纠正一些",
		"nobody knows %this {{.Place}}":                                               "nobody knows %this {{.Place}}",
	} {
		if got := language.Said(s); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
}

// What was tried for a context is translated one by one, and so is the advice behind it.
func TestWhyThereIsNoOpenGLIsTranslated(t *testing.T) {
	tried := &glcontext.NoContextError{Version: glcontext.Version{Major: 4, Minor: 3}, Attempts: []error{
		errors.New("EGL default display: eglInitialize failed: EGL error 0x3001 (EGL_NOT_INITIALIZED)"),
		errors.New("libEGL: it offers neither a display nor a device"),
	}}
	reasons := []string{fmt.Sprintf("the compute device cannot be opened: %v", tried), "the OpenGL context was lost"}
	if got, want := language.AllSaid(reasons), strings.Join(reasons, "; "); got != want {
		t.Errorf("in English it became %q", got)
	}
	uitest.InChinese(t)
	want := "无法打开 compute 设备：没有 OpenGL 4.3 核心上下文：EGL default display: eglInitialize 失败：EGL 错误 0x3001（EGL_NOT_INITIALIZED）；" +
		"libEGL: 既没有显示也没有设备。安装本机的显卡驱动或 Mesa 的软件渲染器会有帮助；OpenGL 上下文已丢失"
	if got := language.AllSaid(reasons); got != want {
		t.Errorf("it became %q,\nwant %q", got, want)
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

// sayings are the expressions in a node that make a sentence for people.
func sayings(n ast.Node) []ast.Expr {
	spoken := func(name ast.Expr) bool {
		switch x := name.(type) {
		case *ast.SelectorExpr:
			return x.Sel.Name == "Missing" || x.Sel.Name == "Reason" || x.Sel.Name == "reason" || x.Sel.Name == "name"
		case *ast.Ident:
			return x.Name == "Missing" || x.Name == "Reason" || x.Name == "doing"
		}
		return false
	}
	switch x := n.(type) {
	case *ast.FuncDecl:
		if x.Name.Name == "Error" {
			return written(x.Body)
		}
	case *ast.CallExpr:
		switch name := called(x); {
		case name == "errors.New", name == "fmt.Errorf", name == "message.Errorf", name == "message.Text", name == "explain", name == "Refuse", name == "graph.Refuse", strings.HasSuffix(name, ".change"), strings.HasSuffix(name, ".fail"):
			return x.Args[:1]
		}
	case *ast.AssignStmt:
		for i, left := range x.Lhs {
			if spoken(left) && len(x.Rhs) == len(x.Lhs) {
				return x.Rhs[i : i+1]
			}
		}
	case *ast.ValueSpec:
		if spoken(x.Names[0]) {
			return x.Values
		}
	case *ast.KeyValueExpr:
		if spoken(x.Key) {
			return []ast.Expr{x.Value}
		}
		if key, ok := x.Key.(*ast.Ident); ok && key.Name == "Reasons" {
			if list, ok := x.Value.(*ast.CompositeLit); ok {
				return list.Elts
			}
		}
	}
	return nil
}

// written are the texts of which a method Error puts its sentence together.
func written(body *ast.BlockStmt) (all []ast.Expr) {
	ast.Inspect(body, func(n ast.Node) bool {
		if x, ok := n.(*ast.CallExpr); ok {
			switch name := called(x); {
			case name == "fmt.Sprintf":
				all = append(all, x)
			case name == "fmt.Fprintf":
				all = append(all, x.Args[1])
			case strings.HasSuffix(name, ".WriteString"):
				all = append(all, x.Args[0])
			}
		}
		return true
	})
	return all
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

// format is the text of an expression with verbs of fmt for what is not known; empty where
// nothing is.
func format(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(x.Value)
		return s
	case *ast.CallExpr:
		if called(x) == "fmt.Sprintf" {
			return format(x.Args[0])
		}
	case *ast.BinaryExpr:
		left, right := format(x.X), format(x.Y)
		if left != "" && right == "" {
			right = "%s"
		}
		return left + right
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
