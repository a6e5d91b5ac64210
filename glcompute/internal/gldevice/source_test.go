package gldevice

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"inkshade/glcompute/glcontext"
)

// text gives the source of main without its first line.
func text(t *testing.T, s *Source, files map[string]string) string {
	t.Helper()
	all := s.Text(&GL{Level: glcontext.Version{Major: 3, Minor: 3}}, library(files), "main")
	version, rest, _ := strings.Cut(all, "\n")
	if version != "#version 330 core" {
		t.Errorf("first line %q", version)
	}
	return rest
}

func library(files map[string]string) Library {
	fs := fstest.MapFS{}
	for name, content := range files {
		fs["shaders/"+name] = &fstest.MapFile{Data: []byte(content)}
	}
	return Library{fs}
}

func TestSourceText(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"include once":   {map[string]string{"main": "#include \"a\"\n#include \"a\"\nm\n", "a": "a\n"}, "a\nm\n"},
		"include nested": {map[string]string{"main": "#include \"a\"\nm\n", "a": "#include \"b\"\na\n", "b": "b\n"}, "b\na\nm\n"},
		"unroll":         {map[string]string{"main": "#unroll i 3\nx[i] = in;\n#end\n"}, "x[0] = in;\nx[1] = in;\nx[2] = in;\n"},
		"join":           {map[string]string{"main": "#unroll r 2\nint row##r;\n#end\n"}, "int row0;\nint row1;\n"},
		"nested": {
			map[string]string{"main": "#unroll r 2\n#unroll c COLUMNS\na##r##c\n#end\nb##r\n#end\n"},
			"a00\na01\nb0\na10\na11\nb1\n",
		},
		"none":             {map[string]string{"main": "a\n#unroll i 0\nx\n#end\nb\n"}, "a\nb\n"},
		"in included file": {map[string]string{"main": "#unroll i 2\n#include \"a\"\n#end\n", "a": "x##i\n"}, "x0\nx1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := new(Source).Define("COLUMNS", 2).Define("YES", true)
			s.Declare("int %s;\n", "d")
			c.files["inserted"] = "int NAME_rows; // WRITTEN\n"
			s.Insert(library(c.files), "inserted", map[string]any{"NAME": "A", "WRITTEN": true})
			want := "#define COLUMNS 2\n#define YES 1\nint d;\nint A_rows; // 1\n" + c.want
			if diff := cmp.Diff(want, text(t, s, c.files)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSourceMistakesPanic(t *testing.T) {
	for name, main := range map[string]string{
		"no end":        "#unroll i 2\nx\n",
		"unknown bound": "#unroll i MANY\nx\n#end\n",
		"unknown file":  "#include \"nowhere\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			text(t, new(Source), map[string]string{"main": main})
		})
	}
}
