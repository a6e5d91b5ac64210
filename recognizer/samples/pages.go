package samples

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"math"
	"os"
	"slices"
)

// pageSize is that of all our databases, SQLite's own choice.
const pageSize = 4096

// Types of pages: a leaf of a table holds rows, an interior page the numbers of its children.
const (
	interiorPage = 0x05
	leafPage     = 0x0d
)

// pages are the content of a database, read without SQLite, which refuses all of a file for one damaged bit in its first page
// or in the root of a table. File format: https://www.sqlite.org/fileformat.html.
type pages []byte

// readPages reads the database at path with what its write-ahead log has committed (section 4 of the format).
func readPages(path string) (pages, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	p := pages(file)
	const header, frameHeader = 32, 24
	if len(log) < header {
		return p, nil
	}
	salts, uncommitted := log[16:24], header
	for at := header; at+frameHeader+pageSize <= len(log) && bytes.Equal(log[at+8:at+16], salts); {
		size := int(binary.BigEndian.Uint32(log[at+4:])) * pageSize // of the database, where this is the end of a transaction
		at += frameHeader + pageSize
		if size == 0 || size > len(p)+len(log) {
			continue
		}
		p = append(p[:min(size, len(p))], make([]byte, max(0, size-len(p)))...)
		for ; uncommitted < at; uncommitted += frameHeader + pageSize {
			copy(p.page(binary.BigEndian.Uint32(log[uncommitted:])), log[uncommitted+frameHeader:at])
		}
	}
	return p, nil
}

// page is the page of a number, from 1, or nil.
func (p pages) page(number uint32) []byte {
	if end := int(number) * pageSize; number > 0 && end <= len(p) {
		return p[end-pageSize : end]
	}
	return nil
}

// rows gives every row on every leaf page of a table, by its rowid. Leaves that an interior page
// names come first: others may be the only ones of their table, have lost their parent, or be free, with rows as they once were.
func (p pages) rows() iter.Seq2[int64, []any] {
	return func(yield func(int64, []any) bool) {
		children := map[uint32]bool{}
		for _, cell := range p.cells(interiorPage) {
			children[binary.BigEndian.Uint32(cell)] = true
		}
		for _, child := range []bool{true, false} {
			for number, cell := range p.cells(leafPage) {
				if children[number] != child {
					continue
				}
				size, n := varint(cell)
				rowid, m := varint(cell[n:])
				values := decodeRecord(p.payload(cell[n+m:], size))
				if n > 0 && m > 0 && values != nil && !yield(rowid, values) {
					return
				}
			}
		}
	}
}

// cells gives every cell of the pages of a type (section 1.6), from its first byte to the end of the page, by the page's number.
func (p pages) cells(kind byte) iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		for number := uint32(1); p.page(number) != nil; number++ {
			page := p.page(number)
			head := page
			if number == 1 {
				head = page[100:]
			}
			if head[0] != kind {
				continue
			}
			pointers := head[8:]
			if kind == interiorPage {
				if !yield(number, head[8:12]) { // its last child
					return
				}
				pointers = head[12:]
			}
			for i := range min(int(binary.BigEndian.Uint16(head[3:])), len(pointers)/2) {
				at := int(binary.BigEndian.Uint16(pointers[2*i:]))
				if at <= pageSize-4 && !yield(number, page[at:]) {
					return
				}
			}
		}
	}
}

// payload gathers a record of size bytes that begins in a cell and goes on in overflow pages; nil when it cannot.
func (p pages) payload(cell []byte, size int64) []byte {
	const most, least, link = pageSize - 35, (pageSize-12)*32/255 - 23, 4
	if size < 0 || size > int64(len(p)) {
		return nil
	}
	local := int(size)
	if local > most {
		if local = least + (local-least)%(pageSize-link); local > most {
			local = least
		}
	}
	if local > len(cell) {
		return nil
	}
	record, rest := slices.Clip(cell[:local]), cell[local:]
	for missing := int(size) - local; missing > 0; missing = int(size) - len(record) {
		if len(rest) < link {
			return nil
		}
		if rest = p.page(binary.BigEndian.Uint32(rest)); rest == nil {
			return nil
		}
		record = append(record, rest[link:min(pageSize, link+missing)]...)
	}
	return record
}

// decodeRecord gives the values of a record (section 2.1), or nil.
func decodeRecord(record []byte) []any {
	length, n := varint(record)
	if n == 0 || length < int64(n) || length > int64(len(record)) {
		return nil
	}
	types, body := record[n:length], record[length:]
	var values []any
	for len(types) > 0 {
		kind, n := varint(types)
		if n == 0 || kind < 0 {
			return nil
		}
		types = types[n:]
		size := int64(0)
		switch {
		case kind >= 12:
			size = (kind - 12) / 2
		case kind < 8:
			size = []int64{0, 1, 2, 3, 4, 6, 8, 8}[kind]
		}
		if size > int64(len(body)) {
			return nil
		}
		content := body[:size]
		body = body[size:]
		switch {
		case kind == 0:
			values = append(values, nil)
		case kind == 7:
			values = append(values, math.Float64frombits(binary.BigEndian.Uint64(content)))
		case kind < 7:
			number := int64(int8(content[0]))
			for _, b := range content[1:] {
				number = number<<8 | int64(b)
			}
			values = append(values, number)
		case kind < 10:
			values = append(values, kind-8)
		case kind < 12:
			return nil
		case kind%2 == 0:
			values = append(values, content)
		default:
			values = append(values, string(content))
		}
	}
	return values
}

// varint reads one to nine bytes, the most significant first (section 1.6); n is 0 when b ends before.
func varint(b []byte) (v int64, n int) {
	for i, c := range b[:min(9, len(b))] {
		if i == 8 {
			return v<<8 | int64(c), 9
		}
		if v = v<<7 | int64(c&0x7f); c < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
