package models

import "testing"

// The table has each class once, and what is well known.
func TestSymbols(t *testing.T) {
	all := Symbols()
	if len(all) != 1123 {
		t.Errorf("the table has %d symbols", len(all))
	}
	for label, want := range map[string]Symbol{
		`\alpha`:                          {`\alpha`, "", "α", ""},
		`\square`:                         {`\square`, "amssymb", "◻", ""},
		`\angle (latex2e)`:                {`\angle`, "", "∠", ""},
		`\mathscr{L}`:                     {`\mathscr{L}`, "mathrsfs", "ℒ", ""},
		`\varoiint`:                       {`\varoiint`, "esint", "", "\ue019"},
		`\textcopyright (textcomp, text)`: {`\textcopyright`, "textcomp", "©", ""},
	} {
		if got := all[label]; got != want {
			t.Errorf("%s is %+v", label, got)
		}
	}
	drawings := map[string]string{}
	for label, s := range all {
		switch other, twice := drawings[s.Drawing]; {
		case s.Drawing == "" && s.Sign == "" && label != `\textrthook`:
			t.Errorf("%s has neither a sign nor a drawing", label)
		case s.Drawing != "" && (twice || s.Sign != ""):
			t.Errorf("%s has the drawing of %s, or a sign as well", label, other)
		}
		if s.Drawing != "" {
			drawings[s.Drawing] = label
		}
	}
}
