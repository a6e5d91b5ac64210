package models

import (
	"strings"
	"testing"

	"inkshade/app/ui/language"
	"inkshade/models"
)

// Each model that ships has a plain name, which no other has.
func TestShippedModelsHavePlainNames(t *testing.T) {
	names := map[string]string{}
	for _, file := range models.All() {
		name := language.ModelName(file)
		if name == file || strings.ContainsAny(name, "-.") || names[name] != "" {
			t.Errorf("%s is called %s, as %q is", file, name, names[name])
		}
		names[name] = file
	}
}
