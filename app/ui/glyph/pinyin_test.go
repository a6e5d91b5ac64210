package glyph

import (
	"testing"

	"inkshade/recognizer"
)

func TestPinyinIsReadWithAndWithoutTones(t *testing.T) {
	for typed, want := range map[string]syllable{
		"zhong": {"zhong", 0}, "zhōng": {"zhong", 1}, "zhong4": {"zhong", 4}, "lǜ": {"lv", 4}, "nü3": {"nv", 3}, "ma5": {"ma", 5}, "ê̄": {"e", 1},
	} {
		if got, ok := syllableOf(typed); !ok || got != want {
			t.Errorf("%q is read as %+v, %v", typed, got, ok)
		}
	}
	for _, typed := range []string{"", "中", "A", "7", "1a", "ma6", "zhong guo"} {
		if got, ok := syllableOf(typed); ok {
			t.Errorf("%q is read as %+v", typed, got)
		}
	}
	all := []recognizer.Candidate{{Label: "行"}, {Label: "黄"}, {Label: "吗"}, {Label: "汉"}, {Label: "哈"}}
	for typed, want := range map[string]string{"hang": "行", "xing2": "行", "ha": "哈行汉", "ma5": "吗", "ma2": "吗", "ma4": "", "huang3": ""} {
		got := ""
		for _, c := range readAs(typed, all) {
			got += c.Label
		}
		if got != want {
			t.Errorf("%q offers %q, not %q", typed, got, want)
		}
	}
}
