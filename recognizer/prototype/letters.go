package prototype

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

const keyLetters = "letters"

// Letters are the mean forms of characters that a model which reads lines keeps of the samples it was trained with, the most
// frequent ones of each character first; none where it keeps none.
func Letters(m *nn.Model) ([]ink.Labelled, error) {
	text := m.Metadata[keyLetters]
	if text == "" {
		return nil, nil
	}
	letters, err := ink.Read(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err != nil {
		return nil, message.Errorf("the letters that the model keeps cannot be read: %w", err)
	}
	return letters, nil
}

// StoreLetters writes what Letters reads into the metadata of a model.
func StoreLetters(m *nn.Model, letters []ink.Labelled) error {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err := ink.WriteJSONLines(z, letters); err != nil {
		return err
	}
	_ = z.Close() // a buffer takes everything
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	m.Metadata[keyLetters] = base64.StdEncoding.EncodeToString(packed.Bytes())
	return nil
}
