package samples

import (
	"database/sql"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// Sample is one drawing and what is known of it.
type Sample struct {
	ID          int64     // given by the store; never used again for another sample
	Label       string    // what was meant: any text without control characters, in Unicode's composed form (NFC)
	Writer      string    // who wrote it; "" is the user. Others' samples train and measure, and are no part of the user's style
	Context     bool      // cut out of running text, or a line of it; see Line
	Ink         ink.Ink   // as the pen made it, every bit
	DeviceScale float64   // pixels per unit of the ink's coordinates on the screen it was drawn on; 1 when unknown
	Time        time.Time // when it was drawn, in UTC
	Answered    Answer    // what the recogniser said; zero when it was not asked
	Correction  bool      // the label is the user's correction of that answer, which takes effect at once
	Session     string    // the sitting it was drawn in; see NewSession
	HoldOut     bool      // kept out of learning, to measure with; see AssignHoldOut
	Learned     bool      // belongs to what is learned from, and is never held out any more
	Deleted     bool      // deleted; only Get returns such samples
}

// Line tells whether it is a line of writing, of which no character is cut out: words or numbers with their text.
func (s *Sample) Line() bool { return s.Context && utf8.RuneCountInString(s.Label) > 1 }

// Answer is what the recogniser said of a sample.
type Answer struct {
	Label       string
	Probability float64 // 0..1
}

// maxText is the longest text of a line, and the longest of the other texts that a user may type, in bytes.
const maxText = 256

// part is column part: what a sample serves for.
type part uint8

const (
	partNew part = iota
	partLearned
	partHeldOut
)

func (s *Sample) part() part {
	switch {
	case s.HoldOut:
		return partHeldOut
	case s.Learned || s.Correction:
		return partLearned
	}
	return partNew
}

// CleanLabel returns label as the store keeps it: without white space around it, in Unicode's composed form. It fails for a label
// that is empty, longer than 64 bytes, not UTF-8, or has control characters in it.
func CleanLabel(label string) (string, error) { return cleanText(label, ink.MaxLabel) }

// CleanLine returns the text of a line as CleanLabel does a label; it may be 256 bytes long.
func CleanLine(text string) (string, error) { return cleanText(text, maxText) }

func cleanText(text string, most int) (string, error) {
	clean := strings.TrimSpace(text)
	if len(clean) <= 4*most { // composed, a text has a third of its bytes at least
		clean = norm.NFC.String(clean)
	}
	switch {
	case clean == "":
		return "", message.Errorf("a sample needs a label: type the character that was meant")
	case len(clean) > most:
		return "", message.Errorf("the label is too long: %d letters fit, or %d Chinese characters", most, most/3)
	case !plain(clean):
		return "", message.Errorf("a label must be valid text (UTF-8) without control characters: type another")
	}
	return clean, nil
}

// plain tells whether text is valid and free of what an ink file could not hold (https://www.w3.org/TR/xml/#charsets).
func plain(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, func(c rune) bool { return unicode.IsControl(c) || c == 0xfffe || c == 0xffff }) < 0
}

// CheckText fails for what cannot be the name of a writer.
func CheckText(text string) error {
	if len(text) > maxText || !plain(text) {
		return message.Errorf("writer, session and answer must be valid text of at most %d bytes without control characters", maxText)
	}
	return nil
}

// check makes s as it is stored, or says why it cannot be.
func (s *Sample) check() (err error) {
	clean := CleanLabel
	if s.Context {
		clean = CleanLine
	}
	if s.Label, err = clean(s.Label); err != nil {
		return err
	}
	for _, stroke := range s.Ink {
		for _, p := range stroke {
			for _, v := range [4]float64{p.X, p.Y, p.T, p.Pressure} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return message.Errorf("the drawing has a coordinate that is not a finite number: remove it (ink.Ink.Clean)")
				}
			}
			if p.Pressure < 0 || p.Pressure > 1 {
				return message.Errorf("the drawing has the pressure %v; it must lie between 0 and 1", p.Pressure)
			}
		}
	}
	s.Ink = s.Ink.Clean() // strokes without points
	if len(s.Ink) == 0 {
		return message.Errorf("the drawing is empty: draw something first")
	}
	for _, text := range []string{s.Writer, s.Session, s.Answered.Label} {
		if err := CheckText(text); err != nil {
			return err
		}
	}
	if s.DeviceScale == 0 {
		s.DeviceScale = 1
	}
	if !(s.DeviceScale > 0) || math.IsInf(s.DeviceScale, 0) {
		return message.Errorf("the device scale is %v; it must be a positive number", s.DeviceScale)
	}
	if p := s.Answered.Probability; !(p >= 0 && p <= 1) {
		return message.Errorf("the answer's probability is %v; it must lie between 0 and 1", p)
	}
	if s.HoldOut && (s.Correction || s.Learned) {
		return message.Errorf("a sample that is learned from cannot be kept for testing")
	}
	if y := s.Time.Year(); y < 1700 || y > 2250 {
		return message.Errorf("the time of the drawing lies in the year %d, which cannot be stored", y)
	}
	s.Time, s.Learned, s.Deleted = time.Unix(0, s.Time.UnixNano()).UTC(), s.part() == partLearned, false
	return nil
}

// Add stores the sample, whose ID is ignored, and returns it as it is stored, with the id it got. When it returns without error
// the sample is on disk. An empty Time is now, an empty DeviceScale is 1, strokes without points are left out; a correction is
// Learned from the start.
func (s *Store) Add(sample Sample) (Sample, error) {
	sample.ID = 0
	if sample.Time.IsZero() {
		sample.Time = s.now()
	}
	err := s.change(message.Text("save the sample"), func(tx *sql.Tx) error {
		if err := sample.check(); err != nil {
			return err
		}
		return insertSample(tx, &sample)
	})
	if err != nil {
		return Sample{}, err
	}
	return sample, nil
}

// sampleColumns are all but the last, of which it only says whether the sample is deleted.
var sampleColumns = strings.Join(samplesTable.columns[:12], ", ") + ", deletion IS NOT NULL"

// insertSample writes a checked sample and gives it an id where it has none.
func insertSample(tx *sql.Tx, s *Sample) error {
	strokes, err := encodeStrokes(s.Ink)
	if err != nil {
		return err
	}
	return tx.QueryRow(samplesTable.insert("")+" RETURNING id", orNull(s.ID), s.Label, s.Writer, s.Context, strokes, s.DeviceScale, s.Time.UnixNano(),
		s.Answered.Label, s.Answered.Probability, s.Correction, s.Session, s.part(), nil).Scan(&s.ID)
}

// orNull is an id, or NULL for 0.
func orNull(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: id != 0} }

// scanSample reads one row of sampleColumns.
func scanSample(row scanner) (Sample, error) {
	var s Sample
	var strokes []byte
	var at int64
	var serves part
	err := row.Scan(&s.ID, &s.Label, &s.Writer, &s.Context, &strokes, &s.DeviceScale, &at, &s.Answered.Label, &s.Answered.Probability,
		&s.Correction, &s.Session, &serves, &s.Deleted)
	if err != nil {
		return s, err
	}
	s.Time = time.Unix(0, at).UTC()
	s.HoldOut, s.Learned = serves == partHeldOut, serves == partLearned
	if s.Ink, err = decodeStrokes(strokes); err != nil {
		return s, message.Errorf("sample %d is %w: %v; close Inkshade and start it again: what can be read is kept", s.ID, ErrDamaged, err)
	}
	return s, nil
}

// Get returns the sample of that id, deleted or not, or ErrNotFound.
func (s *Store) Get(id int64) (Sample, error) {
	sample, err := scanSample(s.from.QueryRow("SELECT "+sampleColumns+" FROM samples WHERE id = ?", id))
	return sample, explain(message.Text("read sample %d", id), err)
}
