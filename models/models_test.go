package models

import (
	"bytes"
	"testing"
)

// Every shipped model must have a card that holds the command that makes it.
func TestCards(t *testing.T) {
	for _, name := range Names() {
		if data, err := Open(name); err != nil || len(data) == 0 {
			t.Errorf("%s: %d bytes, error %v", name, len(data), err)
		}
		card, err := Card(name)
		if err != nil || !bytes.Contains(card, []byte("inkshade train")) {
			t.Errorf("%s: the card names no command (%v)", name, err)
		}
	}
}

func TestUnknownModel(t *testing.T) {
	for _, name := range []string{"", "nothing", "../models/README", "README"} {
		if _, err := Open(name); err == nil {
			t.Errorf("%q was opened", name)
		}
	}
}
