package nn

import "testing"

// nothing is a kind that a test adds; all there is to know of it stands here.
type nothing struct{ Reshape }

func (nothing) String() string { return "nothing" }

var _ = register("nothing", "nothing", func(*words) Kind { return nothing{Reshape{To: Vector(4)}} })

// A kind of layer that is registered can be written in a file of layers, computed, and seen through.
func TestARegisteredKindIsKnown(t *testing.T) {
	net, err := Architecture{"test", "nothing\ndense 3 relu\n"}.Network(Vector(4), 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := net.Initialise(1); err != nil || net.Layers[0].Kind.String() != "nothing" {
		t.Errorf("%v, %v", net.Layers[0].Kind, err)
	}
	if w := net.FirstWeights(); len(w) != 1 || len(w[0]) != 12 {
		t.Errorf("the first weights are %v", w)
	}
	if net.Convolutional() {
		t.Error("it moves no filters")
	}
}
