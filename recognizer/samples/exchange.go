package samples

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// Attributes of a sample in ink files; absent where they say nothing.
const (
	attributeScale       = "inkshade-scale"       // Sample.DeviceScale, absent for 1
	attributeTime        = "inkshade-time"        // RFC 3339 with nanoseconds, in UTC
	attributeAnswer      = "inkshade-answer"      // Sample.Answered.Label
	attributeProbability = "inkshade-probability" // Sample.Answered.Probability, absent for 0
	attributeCorrection  = "inkshade-correction"  // "true" for a correction
	attributeSession     = "inkshade-session"
	attributePart        = "inkshade-part" // "learned" or "held out"
	attributeID          = "inkshade-id"   // Sample.ID, in what Copy writes alone
)

// labelled is the sample as ink files hold it; its id and what its attributes do not name are left out.
func (s *Sample) labelled() ink.Labelled {
	a := map[string]string{attributeTime: s.Time.Format(time.RFC3339Nano)}
	set := func(name, value string, say bool) {
		if say {
			a[name] = value
		}
	}
	set(attributeScale, strconv.FormatFloat(s.DeviceScale, 'g', -1, 64), s.DeviceScale != 1)
	set(attributeAnswer, s.Answered.Label, s.Answered.Label != "")
	set(attributeProbability, strconv.FormatFloat(s.Answered.Probability, 'g', -1, 64), s.Answered.Probability != 0)
	set(attributeCorrection, "true", s.Correction)
	set(attributeSession, s.Session, s.Session != "")
	set(attributePart, "learned", s.Learned)
	set(attributePart, "held out", s.HoldOut)
	return ink.Labelled{Label: s.Label, Writer: s.Writer, Context: s.Context, Ink: s.Ink, Attributes: a}
}

// fromLabelled is the inverse of labelled. A file of another program has none of our attributes: then Time and Session
// are empty. Attributes that are not ours are dropped.
func fromLabelled(l ink.Labelled) (Sample, error) {
	s := Sample{Label: l.Label, Writer: l.Writer, Context: l.Context, Ink: l.Ink.Clean(), DeviceScale: 1}
	var err error
	for name, value := range l.Attributes {
		var wrong error
		switch name {
		case attributeScale:
			s.DeviceScale, wrong = strconv.ParseFloat(value, 64)
		case attributeTime:
			s.Time, wrong = time.Parse(time.RFC3339Nano, value)
			s.Time = s.Time.UTC()
		case attributeAnswer:
			s.Answered.Label = value
		case attributeProbability:
			s.Answered.Probability, wrong = strconv.ParseFloat(value, 64)
		case attributeCorrection:
			s.Correction = value == "true"
		case attributeSession:
			s.Session = value
		case attributePart:
			s.Learned, s.HoldOut = value == "learned", value == "held out"
		case attributeID:
			s.ID, wrong = strconv.ParseInt(value, 10, 64)
		}
		if wrong != nil {
			err = message.Errorf("its attribute %s is %.40q, which cannot be read", name, value)
		}
	}
	return s, err
}

// export writes the samples that f chooses, in order, as labelled has them, and returns how many there were.
func (s *Store) export(w io.Writer, write func(io.Writer, []ink.Labelled) error, f Filter, labelled func(*Sample) ink.Labelled) (int, error) {
	samples, err := s.List(f)
	if err != nil {
		return 0, err
	}
	all := make([]ink.Labelled, len(samples))
	for i := range samples {
		all[i] = labelled(&samples[i])
	}
	return len(all), write(w, all)
}

// Imported tells what came of an import.
type Imported struct {
	IDs     []int64 // of the samples that were added
	Known   int     // samples that the store had already
	Skipped []error // of the samples that could not be stored
}

// Whose says who wrote the samples of a file.
type Whose string

// Of others' samples, and of those alone, Writer is not empty.
const (
	Stated Whose = "stated" // whoever the file names; those of whom it says nothing are the user's
	Mine   Whose = "me"     // the user, but whom else a file of Inkshade names
	Others Whose = "others" // whoever the file names; those of whom it says nothing are by somebody with the name of the file
)

// writer gives the writer of a sample of a file, from the one who is stated, and whether Inkshade has written that.
func (w Whose) writer(file, stated string, ours bool) string {
	switch {
	case w == Mine && !ours:
		return ""
	case w == Others && stated == "":
		if name, _, _ := strings.Cut(filepath.Base(file), "."); name != "" && len(name) <= maxText && plain(name) {
			return name
		}
		return "others"
	}
	return stated
}

func candidatesOf(all []ink.Labelled, file string) []candidate {
	strongest := 1.0
	for _, l := range all {
		for _, stroke := range l.Ink.Clean() {
			for _, p := range stroke {
				strongest = max(strongest, p.Pressure)
			}
		}
	}
	candidates := make([]candidate, len(all))
	for i, l := range all {
		c := &candidates[i]
		c.file, c.name = file, message.Text("sample %d", i+1)
		c.sample, c.problem = fromLabelled(l)
		c.sample.ID = 0
		c.sample.Ink = c.sample.Ink.Map(func(p ink.Point) ink.Point { // the pressure of a foreign device comes into 0..1
			p.Pressure = max(p.Pressure, 0) / strongest
			return p
		})
	}
	return candidates
}

// candidate is a sample that is to be imported, or says why it cannot be.
type candidate struct {
	file    string
	name    *message.Message // of it in the file
	sample  Sample
	problem error
}

// Import stores what was found, all in one transaction, so that two imports of the same file at once add it once. A sample
// without label or ink is skipped, and one that the store has already, with the same ink and label, and time where the file
// states it, is not added again. Samples of other programs get a session of their own, and the time of the import; whose says
// who wrote them. progress, which may be nil, is told how many are looked at. When ctx ends first, nothing is changed, and the
// error is that of ctx.
func (s *Store) Import(ctx context.Context, found Found, whose Whose, progress Progress) (Imported, error) {
	now := s.now()
	session := "import-" + NewSession(now)
	several := slices.ContainsFunc(found, func(c candidate) bool { return c.file != found[0].file })
	var result Imported
	err := s.change(message.Text("save the samples"), func(tx *sql.Tx) error {
		var there times
		for i, c := range found {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.tell(i, len(found))
			if i == 0 || c.file != found[i-1].file {
				var err error
				if there, err = known(tx); err != nil {
					return err
				}
			}
			v := &c.sample
			stated := !v.Time.IsZero()
			v.Writer = whose.writer(c.file, v.Writer, stated)
			if !stated {
				v.Time = now
				if v.Session == "" {
					v.Session = session
				}
			}
			if c.problem == nil {
				c.problem = v.check()
			}
			if c.problem != nil {
				if several {
					c.name = message.Text("%s: %s", files.Shown(c.file), c.name)
				}
				result.Skipped = append(result.Skipped, message.Errorf("%s: %w", c.name, c.problem))
				continue
			}
			strokes, err := encodeStrokes(unsignedZeros(v.Ink))
			if err != nil {
				return err
			}
			if there.take(keyOf(v.Label, strokes), v.Time.UnixNano(), stated) {
				result.Known++
				continue
			}
			if err := insertSample(tx, v); err != nil {
				return err
			}
			result.IDs = append(result.IDs, v.ID)
		}
		return nil
	})
	if err != nil {
		return Imported{}, err
	}
	return result, nil
}

// key names what makes two samples the same, but for their times. Who wrote them does not: a file may be imported once more as
// somebody else's.
type key [sha256.Size]byte

func keyOf(label string, strokes []byte) key {
	return sha256.Sum256(fmt.Appendf(nil, "%q \x00%s", label, strokes))
}

// times are those of the samples of each key. The same dot drawn twice is two samples.
type times map[key][]int64

// take removes a sample of the time, or of any where it is not stated, and tells whether there was one.
func (t times) take(k key, at int64, stated bool) bool {
	i := min(0, len(t[k])-1)
	if stated {
		i = slices.Index(t[k], at)
	}
	if i < 0 {
		return false
	}
	t[k] = slices.Delete(t[k], i, i+1)
	return true
}

func known(tx *sql.Tx) (times, error) {
	all := times{}
	_, err := readAll(func(row scanner) (none struct{}, err error) {
		var label string
		var at int64
		var strokes sql.RawBytes
		if err = row.Scan(&label, &at, &strokes); err == nil && bytes.Contains(strokes, []byte("\x00\x00\x00\x80")) { // maybe a zero with a sign
			var drawn ink.Ink
			if drawn, err = decodeStrokes(strokes); err == nil {
				strokes, err = encodeStrokes(unsignedZeros(drawn))
			}
		}
		k := keyOf(label, strokes)
		all[k] = append(all[k], at)
		return none, err
	}, tx, "SELECT label, made_at, strokes FROM samples WHERE deletion IS NULL")
	return all, err
}

// unsignedZeros is a copy of the ink without the sign of a zero, which ink files do not hold.
func unsignedZeros(k ink.Ink) ink.Ink {
	return k.Map(func(p ink.Point) ink.Point {
		return ink.Point{X: p.X + 0, Y: p.Y + 0, T: p.T + 0, Pressure: p.Pressure + 0}
	})
}

// largestID bounds the ids of a copy, so that as many again follow them.
const largestID = 1 << 48

// Copy writes the samples that f chooses as JSON Lines, each with its id, and returns how many there were. Fill reads them.
func (s *Store) Copy(w io.Writer, f Filter) (int, error) {
	return s.export(w, ink.WriteJSONLines, f, func(v *Sample) ink.Labelled {
		l := v.labelled()
		l.Attributes[attributeID] = strconv.FormatInt(v.ID, 10)
		return l
	})
}

// Fill stores what Copy has written, with the same ids, which must be free; whose says who wrote it, name what it is called
// where nobody is named. It stores all of the samples or, where one is not as Copy writes it, none.
func (s *Store) Fill(ctx context.Context, r io.Reader, whose Whose, name string) error {
	var candidates []candidate
	err := ink.Each(r, func(l ink.Labelled) error {
		v, err := fromLabelled(l)
		if err == nil && !(v.ID > 0 && v.ID < largestID) {
			err = message.Errorf("it has no id")
		}
		if err == nil {
			err = v.check()
		}
		if err != nil {
			return message.Errorf("sample %d: %w", len(candidates)+1, err)
		}
		candidates = append(candidates, candidate{file: name, sample: v})
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	_, err = s.Import(ctx, candidates, whose, nil)
	return err
}

// FillModel stores a model of the history of another store, with its id, after its parent.
func (s *Store) FillModel(m Model) error {
	if !(m.ID > 0 && m.ID < largestID) {
		return message.Errorf("a trained model has the id %d", m.ID)
	}
	return s.change(message.Text("save the trained model"), func(tx *sql.Tx) error {
		return addModel(tx, &m, m.Active)
	})
}
