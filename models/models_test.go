package models

import (
	"bytes"
	"slices"
	"testing"
)

// Every shipped model must have a card that holds the command that makes it.
func TestCards(t *testing.T) {
	if n := len(Embedding()); n == 0 || n > 2_000_000 || slices.Contains(Names(), embedding) || slices.Contains(Names(), Words) || !Ships(Words) {
		t.Errorf("the embedding has %d bytes, at most 2 MB; models that can be chosen are %q", n, Names())
	}
	for _, name := range append(Names(), embedding, Words) {
		if data, err := Open(name); err != nil || len(data) == 0 || len(data) > 8_000_000 {
			t.Errorf("%s: %d bytes, at most 8 MB, error %v", name, len(data), err)
		}
		card, err := Card(name)
		if err != nil || !bytes.Contains(card, []byte("inkshade train")) {
			t.Errorf("%s: the card names no command (%v)", name, err)
		}
	}
}

// The name of a kind means a model that ships; every other name itself.
func TestNamed(t *testing.T) {
	for _, kind := range Kinds() {
		if full := Named(kind); full == kind || !slices.Contains(Names(), full) {
			t.Errorf("%s means %s, which does not ship", kind, full)
		}
	}
	for _, name := range append(Names(), "", "mine.onnx") {
		if got := Named(name); got != name {
			t.Errorf("%q means %q", name, got)
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
