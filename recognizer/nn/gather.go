package nn

import (
	"fmt"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

var _ = register("gather", "", nil)

// Gather gives a vector of values of what the layer reads, in any order and as often as they are
// named: value i is number From[i], position by position and channel by channel.
type Gather struct{ From []int32 }

func (k Gather) String() string { return fmt.Sprintf("gather %d", len(k.From)) }

func (Gather) rearranges() {}

func (k Gather) Shape(in []Shape) (Shape, error) {
	for _, v := range k.From {
		if v < 0 || int(v) >= in[0].Size() {
			return Shape{}, message.Errorf("it gathers value %d of %d", v, in[0].Size())
		}
	}
	return Vector(len(k.From)), nil
}

func (k Gather) Record(r *Recorder) *glcompute.Tensor {
	run := k.run(r.Shapes[0].Size())
	rows := make([]int32, len(k.From)/run)
	for i := range rows {
		rows[i] = k.From[i*run] / int32(run)
	}
	x := r.Reshape(r.Inputs[0], r.Batch*r.Shapes[0].Size()/run, run)
	return r.Reshape(r.GatherTable(x, glcompute.NewTable(len(rows), 1, rows), r.Batch), r.Batch, len(k.From))
}

// run is how many values side by side, of size, are always picked together.
func (k Gather) run(size int) int {
	for run := min(size, len(k.From)); run > 1; run-- {
		if size%run == 0 && len(k.From)%run == 0 && k.inRuns(run) {
			return run
		}
	}
	return 1
}

func (k Gather) inRuns(n int) bool {
	for i, v := range k.From {
		if i%n == 0 && int(v)%n != 0 || i%n > 0 && v != k.From[i-1]+1 {
			return false
		}
	}
	return true
}
