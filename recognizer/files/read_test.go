package files

import (
	"context"
	"errors"
	"testing"
)

// Work that ends because its context did has found nothing, whichever end is seen first.
func TestAwaitTellsAnEndFromAnInterrupt(t *testing.T) {
	for range 20000 {
		ctx, cancel := context.WithCancel(t.Context())
		if err := Await(ctx, nil, cancel); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want context.Canceled", err)
		}
	}
}
