package personal

import (
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// Task is what Train works on.
type Task struct {
	Start   *nn.Model // the model in use, where training begins; it is not changed
	Shipped *nn.Model // what the parameters are pulled toward; nil stands for Start
	Learn   []Sample  // learned from
	HeldOut []Sample  // measured on, never learned from; may be empty, then nothing is measured on the person's style
	Settings
}

// Settings say how to train. Start from DefaultSettings and change what differs.
type Settings struct {
	Steps      int                // mini-batches
	Batch      int                // rows of a mini-batch
	Replay     float64            `json:"Rehearsal"` // share of the rows that replay what the model knew, 0 to 0.9; in files by its first name
	Rate       float64            // largest learning rate
	Momentum   float64            // share of the last step that goes on, below 1
	Anchor     float64            // pull toward the shipped model, per unit of rate; five times that where there are convolutions
	Frozen     int                // first layers that stay as they are, at most all but one; negative chooses by the time that training them takes
	Copies     int                // distorted copies made of each sample
	Distortion dataset.Distortion // of the strokes
	Seed       int64              // what all chance comes from
}

// Adjustable are the settings that people may change, in the order in which the window offers them, and those with a range.
var Adjustable = []train.Setting[Settings]{
	{What: "steps", Title: "Steps", Meaning: "how long it learns", Least: 1, Most: train.NoLimit, Of: func(s *Settings) any { return &s.Steps }},
	{What: "rate", Title: "Rate", Meaning: "how far each step goes", Most: 100, Of: func(s *Settings) any { return &s.Rate }},
	{What: "pull", Title: "Keep what it knew", Meaning: "how firmly it holds to the shipped model", Off: true, Most: 100, Of: func(s *Settings) any { return &s.Anchor }},
	{Title: "Distortion", Meaning: "how much your drawings are varied", Off: true, Of: func(s *Settings) any { return &s.Distortion }},
	{What: "copies", Title: "Variations", Meaning: "how many variations of each drawing", Most: train.NoLimit, Of: func(s *Settings) any { return &s.Copies }},
	{Name: "seed", Usage: "what all chance comes from", Of: func(s *Settings) any { return &s.Seed }},
	{What: "rows in a step", Least: 1, Most: train.NoLimit, Of: func(s *Settings) any { return &s.Batch }},
	{What: "replayed share", Most: 0.9, Of: func(s *Settings) any { return &s.Replay }},
	{What: "momentum", Most: 0.9999, Of: func(s *Settings) any { return &s.Momentum }},
}

// Stage is a part of Train's work.
type Stage string

const (
	Preparing Stage = "preparing" // distorting, computing the layers that stay as they are
	Learning  Stage = "learning"  // mini-batches
	Measuring Stage = "measuring" // before against after
)

// Progress tells how far Train has come. It is sent from the goroutine that called Train.
type Progress struct {
	Stage          Stage
	Prepared       float64 // share of the rows that are prepared, 0 to 1
	Step, Steps    int     // mini-batches done, and all of them
	Loss           float64 // mean cross-entropy of the person's rows since the last event; 0 before the first step
	Accuracy       float64 // share of them answered right, 0 to 1
	StepsPerSecond float64
	Remaining      time.Duration // by the present speed; 0 when unknown
}

// Result is what came of a training.
type Result struct {
	Model      *nn.Model // the trained model; use it when Keep is set, or when the person wants it
	NewClasses []string  // labels that Start did not have
	Keep       bool      // the trained model is better, or as good and has new labels
	Reason     Reason    // why Keep is set or not; the comparisons below have its numbers

	HeldOut Comparison // the held-out samples, answered with the Memory of the person's own among those learned
	Network Comparison // the same samples, answered by the networks alone
	Replay  Comparison `json:"Rehearsal"` // what ships with the model: prototypes and their variations; in files by its first name
	Before  Confusion  // of HeldOut
	After   Confusion
	Changes []Change // held-out samples whose answer changed, in the order of HeldOut

	Steps   int
	Seconds float64 // all of Train
	Device  string  // kind of the device that did the steps

	Choice *glcompute.Choice `json:"Sharing"` // how the steps came to that device, or to several together; nil where there was but one
}

// Reason says why a trained model is kept or not.
type Reason string

const (
	Forgets     Reason = "forgets"      // not kept: more of what ships with the model is answered wrong than before (Replay), by much or for nothing
	Worse       Reason = "worse"        // not kept: more held-out drawings are answered wrong (HeldOut)
	WorseAlone  Reason = "worse-alone"  // not kept: as many are, but more without the memory (Network)
	Better      Reason = "better"       // kept: fewer held-out drawings are answered wrong (HeldOut)
	BetterAlone Reason = "better-alone" // kept: as many are, and fewer without the memory (Network)
	AsGood      Reason = "as-good"      // as many are, with the memory and without: kept for NewClasses
	Unmeasured  Reason = "unmeasured"   // kept: nothing is forgotten, and no drawings are held out to measure with
)

// Comparison counts wrong answers before and after training.
type Comparison struct {
	Samples, Before, After int
}

// ErrorBefore is the share of wrong answers before training, 0 to 1; 0 of no samples.
func (c Comparison) ErrorBefore() float64 { return train.Share(c.Before, c.Samples) }

// ErrorAfter is the share of wrong answers after training, 0 to 1; 0 of no samples.
func (c Comparison) ErrorAfter() float64 { return train.Share(c.After, c.Samples) }

// Confusion is a confusion matrix that knows its drawings.
type Confusion struct {
	Labels []string // of rows (what was meant) and columns (what was answered), in the order of the model
	Cells  []Cell   // those that are not empty, by row, then by column
}

// Cell lists the samples that were meant as one label and answered as another, or as the same.
type Cell struct {
	Want, Got string
	Samples   []int64 // their IDs
}

// Change is a held-out sample that is answered otherwise after training.
type Change struct {
	ID            int64
	Label         string // what was meant
	Before, After string // first answers
}

// Better tells whether the change is from wrong to right.
func (c Change) Better() bool { return c.Before != c.Label && c.After == c.Label }

// Worse tells whether the change is from right to wrong.
func (c Change) Worse() bool { return c.Before == c.Label && c.After != c.Label }

// DefaultSettings suit a person's first few hundred samples and take some seconds on the
// CPU.
func DefaultSettings() Settings {
	return Settings{
		Steps:      200,
		Batch:      64,
		Replay:     0.8,
		Rate:       0.01,
		Momentum:   0.9,
		Anchor:     0.4,
		Frozen:     -1,
		Copies:     12,
		Distortion: timid(),
		Seed:       1,
	}
}

// timid is half of what strangers' samples are distorted by: one person varies less.
func timid() dataset.Distortion {
	d := dataset.DefaultDistortion()
	d.Shift, d.Rotate, d.Scale, d.Shear, d.ElasticAlpha = d.Shift/2, d.Rotate/2, d.Scale/2, d.Shear/2, d.ElasticAlpha/2
	return d
}

const (
	trainedProducts = 500_000 // multiplications of a row in the layers that are trained, at most, when Frozen is negative
	convolutionPull = 5       // of the anchor in a network with convolutions, which means of pictures remind of little
	newClassRate    = 0.1     // of the steps that the parameters of new classes are fitted in
	newClassRounds  = 2       // of as many steps as follow
	replayRounds    = 2       // variations of each prototype
	warmUp          = 0.1     // share of the steps over which the rate rises
	tellEvery       = 5       // steps between two readings of the loss
)
