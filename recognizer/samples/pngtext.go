package samples

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
)

// An iTXt chunk (PNG specification, third edition, 11.3.3.4): keyword, 0, not compressed, method 0, no language, 0, no
// translation, 0, text in UTF-8. Programs that do not know a keyword pass over its chunk.
const (
	pngSignature   = "\x89PNG\r\n\x1a\n"
	textChunk      = "iTXt"
	textKeyword    = "inkshade\x00\x00\x00\x00\x00"
	maxPictureText = 32 << 20
)

// addText returns the PNG file with text in it, in front of its last chunk, the 12 bytes of IEND.
func addText(picture []byte, text string) []byte {
	end := len(picture) - 12
	body := textChunk + textKeyword + text
	b := append([]byte(nil), picture[:end]...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)-len(textChunk)))
	b = append(b, body...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(body)))
	return append(b, picture[end:]...)
}

// findText returns the text that addText has put into a PNG file; found is false for any other file, and for a damaged one.
func findText(r io.Reader) (text string, found bool) {
	b := bufio.NewReader(r)
	head := make([]byte, 8)
	if _, err := io.ReadFull(b, head); err != nil || string(head) != pngSignature {
		return "", false
	}
	for {
		if _, err := io.ReadFull(b, head); err != nil {
			return "", false
		}
		size := binary.BigEndian.Uint32(head)
		if string(head[4:]) != textChunk {
			if _, err := io.CopyN(io.Discard, b, int64(size)+4); err != nil {
				return "", false
			}
			continue
		}
		if size > maxPictureText {
			return "", false
		}
		body, err := io.ReadAll(io.LimitReader(b, int64(size)+4))
		if err != nil || len(body) != int(size)+4 {
			return "", false
		}
		body, sum := body[:size], binary.BigEndian.Uint32(body[size:])
		if crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, body) != sum {
			return "", false
		}
		if text, ok := strings.CutPrefix(string(body), textKeyword); ok {
			return text, true
		}
	}
}
