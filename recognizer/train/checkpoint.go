package train

import (
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn"
)

// checkpoint is all that a training has come to after a step, from which it goes on exactly as if it had not stopped:
// the batch of a step depends on the seed and its number alone, and everything else is here.
type checkpoint struct {
	Training string // what is trained, see session.training
	Data     uint64 // checksum of the samples and of the model of the start; 0 in checkpoints of before
	Steps    int
	Values   [][]float32 // of what steps change
	Average  [][]float32 // where one is kept
	Averaged int         // its updates
	Best     [][]float32 // the parameters of the best state; none until one was evaluated
	Epoch    int         // of the best state
	HoldOut  *Evaluation
	Waited   int // epochs without improvement
	History  []Event
	Recent   window
	Since    window // the epoch began

	Plateau plateau
	Weights []float64 // of hard samples
	Random  []byte
	Order   []int // of the samples in the epoch in work, by their weights
}

// checkpointEvery is the time between two checkpoints at least.
const checkpointEvery = 2 * time.Minute

// training says what is trained, so that a checkpoint is of nothing else.
func (s *session) training() string {
	c := s.cfg
	c.Workers, c.ReportEvery, c.Checkpoint, c.Continue, c.Start, c.Anchor, c.Held = 0, 0, "", false, nil, nil, nil
	m := s.model
	return fmt.Sprintf("%+v, %d samples, %d held out, %d values, labels %q", c, len(s.result.Trained), len(s.result.HeldOut), m.Network.Parameters(), m.Labels)
}

// checksum tells whether the samples are the same, in the same order, and the models that the training begins with and is held to.
func (s *session) checksum() uint64 {
	if s.data == 0 {
		h := fnv.New64a()
		for _, all := range [][]dataset.Sample{s.result.Trained, s.result.HeldOut} {
			for _, x := range all {
				b := strconv.AppendQuote(nil, x.Label)
				for _, s := range x.Ink {
					for _, p := range s {
						b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.X))
						b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.Y))
					}
					b = append(b, '/')
				}
				if x.Ink == nil {
					for _, v := range x.Image.Pix {
						b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
					}
				}
				h.Write(b)
			}
		}
		for _, m := range []*nn.Model{s.cfg.Start, s.cfg.Anchor} {
			if m != nil {
				fmt.Fprint(h, valuesOf(m.Network))
			}
		}
		s.data = h.Sum64() | 1
	}
	return s.data
}

// save writes the checkpoint of the present step, once all readings have come.
func (s *session) save() error {
	d, ok := s.learner.(*descending)
	if !ok || s.cfg.Checkpoint == "" || s.Steps == 0 {
		return nil
	}
	if err := s.take(s.readings.asked); err != nil {
		return err
	}
	if err := d.Save(); err != nil {
		return err
	}
	s.Training, s.Data, s.Values, s.Best = s.training(), s.checksum(), dataOf(d.Changing()), valuesOf(s.best)
	if d.average != nil {
		s.Average, s.Averaged = dataOf(d.kept.All()), d.averaged
	}
	if h := s.hard; h != nil {
		s.Weights, s.Order = h.weights, h.last
		var err error
		if s.Random, err = h.pcg.MarshalBinary(); err != nil {
			return err
		}
	}
	if err := files.WriteWhole(s.cfg.Checkpoint, s.checkpoint.write); err != nil {
		return message.Errorf("the state of the training cannot be kept: %w", err)
	}
	s.saved = clock.Now()
	return nil
}

// write puts the checkpoint into a gzip file, which has a checksum; numbers of networks do not become shorter.
func (c *checkpoint) write(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.NoCompression)
	if err != nil {
		return err
	}
	return cmp.Or(gob.NewEncoder(z).Encode(c), z.Close())
}

func (c *checkpoint) read(r io.Reader) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	if err := gob.NewDecoder(z).Decode(c); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, z) // up to the checksum
	return err
}

// goOn reads the checkpoint, where the training is to continue.
func (s *session) goOn() error {
	if !s.cfg.Continue {
		return nil
	}
	f, err := os.Open(s.cfg.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return message.Errorf("there is no training to continue: %s is missing", files.Shown(s.cfg.Checkpoint))
	}
	if err != nil {
		return err
	}
	defer f.Close()
	var c checkpoint
	if c.read(f) != nil {
		return message.Errorf("%s holds no training to continue, or is damaged; start the training anew", files.Shown(s.cfg.Checkpoint))
	}
	if c.Training != s.training() || c.Data != 0 && c.Data != s.checksum() {
		return message.Errorf("%s was kept by another training; continue with the same data and settings", files.Shown(s.cfg.Checkpoint))
	}
	s.checkpoint, s.feed.first = c, c.Steps
	if len(c.Best) > 0 {
		s.best = s.net.Clone()
		if err := copyAll(valuesOf(s.best), c.Best); err != nil {
			return err
		}
	}
	if h := s.hard; h != nil { // the order of the epoch in work is not drawn again
		<-h.orders
		h.orders <- c.Order
		h.weights, h.last = c.Weights, c.Order
		return h.pcg.UnmarshalBinary(c.Random)
	}
	return nil
}

func dataOf(parameters []*glcompute.Parameter) (values [][]float32) {
	for _, par := range parameters {
		values = append(values, par.Data)
	}
	return values
}

func valuesOf(net nn.Network) (values [][]float32) {
	for _, l := range net.Layers {
		values = append(values, l.Values...)
	}
	return values
}

// copyAll gives parameters that are on no device yet their values.
func copyAll(to, from [][]float32) error {
	if len(to) != len(from) {
		return message.Errorf("the checkpoint has %d parameters, want %d", len(from), len(to))
	}
	for i := range to {
		if len(to[i]) != len(from[i]) {
			return message.Errorf("parameter %d of the checkpoint has %d values, want %d", i+1, len(from[i]), len(to[i]))
		}
		copy(to[i], from[i])
	}
	return nil
}
