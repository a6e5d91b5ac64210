package docs

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Code that architecture.md and the documentation of glcompute show is part of an example, which is compiled and run.
func TestShownCodeIsOfAnExample(t *testing.T) {
	page := read(t, "architecture.md")
	fences := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(page, -1)
	var shown []string
	for _, fence := range fences {
		shown = append(shown, fence[1])
	}
	for _, block := range codeOfPackage(t) {
		if strings.Contains(block, "glcompute.") {
			shown = append(shown, block)
		}
	}
	if len(fences) == 0 || len(shown) == len(fences) {
		t.Error("no code is shown")
	}
	examples := withoutIndent(read(t, "../glcompute/example_test.go"))
	for _, code := range shown {
		if !strings.Contains(examples, withoutIndent(code)) {
			t.Errorf("no example has\n%s", code)
		}
	}
}

// Operations that the documentation of glcompute lists are methods of Program.
func TestShownOperationsAreThere(t *testing.T) {
	methods := map[string]bool{}
	eachGoFile(t, func(path string, source []byte) {
		if !strings.HasPrefix(path, "glcompute/internal/program/") || strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				f.Body = nil
				var text strings.Builder
				if err := printer.Fprint(&text, token.NewFileSet(), f); err != nil {
					t.Fatal(err)
				}
				methods[text.String()] = true
			}
		}
	})
	listed := 0
	for _, block := range codeOfPackage(t) {
		for line := range strings.Lines(block) {
			signature, _, isOperation := strings.Cut(line, " // ")
			if !isOperation {
				continue
			}
			listed++
			if signature = "func (p *Program) " + strings.TrimSpace(signature); !methods[signature] {
				t.Errorf("there is no %s", signature)
			}
		}
	}
	if listed == 0 {
		t.Error("no operations are listed")
	}
}

// codeOfPackage gives the blocks of code in the documentation of glcompute.
func codeOfPackage(t *testing.T) (blocks []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../glcompute/glcompute.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range new(comment.Parser).Parse(file.Doc.Text()).Content {
		if code, ok := part.(*comment.Code); ok {
			blocks = append(blocks, code.Text)
		}
	}
	return blocks
}

func withoutIndent(code string) string {
	return regexp.MustCompile(`(?m)^\t+`).ReplaceAllString(code, "")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every test that reliability.md names is run by make torture, but those of the whole window.
func TestTorturesAreRepeated(t *testing.T) {
	repeated := regexp.MustCompile(`(?m)^row ".*" (\./\S+)(?: -run '?([^' \n]+))?`).FindAllStringSubmatch(read(t, "../.ci/torture"), -1)
	commands := regexp.MustCompile("`go test ((?:\\./\\S+ )*)[^`]*?-run '?(Test[^' `]+)|`go test (\\./\\S+?)`").FindAllStringSubmatch(read(t, "reliability.md"), -1)
	if len(repeated) == 0 || len(commands) == 0 {
		t.Fatal("no tortures are found")
	}
	for _, command := range commands {
		if strings.Contains(command[0], "-tags e2e") {
			continue
		}
		packages := strings.Fields(command[1] + command[3])
		for _, test := range strings.Split(strings.ReplaceAll(command[2], `\|`, "|"), "|") {
			if !slices.ContainsFunc(repeated, func(row []string) bool {
				return slices.Contains(packages, row[1]) && regexp.MustCompile(row[2]).MatchString(test)
			}) {
				t.Errorf("make torture leaves out %s of %q", test, packages)
			}
		}
	}
}
