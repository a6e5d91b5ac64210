package ink

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// What files an installed Inkshade opens, the package says in files of its own.
func TestThePackageClaimsTheFormats(t *testing.T) {
	const share = "../../.ci/package/share/"
	read := func(name string) string {
		text, err := os.ReadFile(share + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	types, menu := read("mime/packages/io.github.inkshade.app.xml"), read("applications/io.github.inkshade.app.desktop")
	for _, f := range formats {
		_, of, claimed := strings.Cut(types, fmt.Sprintf("<mime-type type=%q>", f.MIME))
		of, _, _ = strings.Cut(of, "</mime-type>")
		if claimed != (f.MIME != "") || f.MIME != "" && !strings.Contains(menu, f.MIME+";") {
			t.Errorf("%s, %q, is among the package's types or its menu entry and not in the other", f.Name, f.MIME)
		}
		for _, ending := range slices.Concat(f.Endings, f.Shared) {
			want := f.MIME != "" && slices.Contains(f.Endings, ending)
			if strings.Contains(of, fmt.Sprintf("pattern=%q", "*"+ending)) != want {
				t.Errorf("the package claims %s of %s: %v", ending, f.Name, !want)
			}
		}
	}
}

func TestFormatsByName(t *testing.T) {
	for name, want := range map[string]string{
		"a.jsonl": "JSON Lines", "a.JSON.gz": "JSON Lines", "b.upn": "UNIPEN", "b.unp.gz": "UNIPEN", "b.txt": "UNIPEN", "c.inkml": "InkML", "c.xml": "InkML", "gz": "", "a.gz": "", "a": "", "d.docx": "",
	} {
		if f, known := FormatOf(name); f.Name != want || known != (want != "") {
			t.Errorf("%s is taken for %q", name, f.Name)
		}
	}
	for name, begin := range map[string]string{"A.JSONL.GZ": "{", "b.xml": "<", "pendigits.txt.gz": "."} {
		var b strings.Builder
		f, _ := FormatOf(name)
		if err := f.Write(&b, []Labelled{{Label: "a", Ink: Ink{{{X: 1}}}}}); err != nil || !strings.HasPrefix(b.String(), begin) || f.Prefix != begin {
			t.Errorf("%s: %.20q, %v", name, b.String(), err)
		}
	}
	for name, want := range map[string]bool{"a.jsonl.gz": true, "b.UPN": true, "a.json": false, "b.dat": false, "c.xml": false, "c": false, "README": false} {
		if NamesInk(name) != want {
			t.Errorf("in a folder %s is ink: %v", name, !want)
		}
	}
	if got := Names(); got != "JSON Lines, InkML, UNIPEN" {
		t.Errorf("the formats are %s", got)
	}
}

func TestBegins(t *testing.T) {
	for head, want := range map[string]bool{"": true, " \n": true, "{": true, "\ufeff .VERSION": true, "<ink": true, "\x1f\x8b": true, "\xff\xfe{": true, "Dear": false, "\x00": false} {
		if Begins([]byte(head)) != want {
			t.Errorf("%q begins ink: %v", head, !want)
		}
	}
}
