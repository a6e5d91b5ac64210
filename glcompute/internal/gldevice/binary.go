package gldevice

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"
)

// formatBytes hold the format of a program binary before it in its cache entry.
const formatBytes = 4

// binaryFormats are those in which the driver gives linked programs away and takes them
// back: none where it cannot.
func (g *GL) binaryFormats() []int32 {
	major, minor := g.Limit(gl.MAJOR_VERSION), g.Limit(gl.MINOR_VERSION)
	if !g.Level.ES && (major < 4 || major == 4 && minor < 1) {
		if !g.extension("GL_ARB_get_program_binary") {
			return nil
		}
	}
	n := g.Limit(gl.NUM_PROGRAM_BINARY_FORMATS)
	if n <= 0 {
		return nil
	}
	formats := make([]int32, n)
	gl.GetIntegerv(gl.PROGRAM_BINARY_FORMATS, &formats[0])
	return formats
}

func (g *GL) extension(name string) bool {
	for i := range g.Limit(gl.NUM_EXTENSIONS) {
		if gl.GoStr(gl.GetStringi(gl.EXTENSIONS, uint32(i))) == name {
			return true
		}
	}
	return false
}

// driver names what a linked program belongs to.
func (g *GL) driver() string {
	return g.Info.Vendor + "\x00" + g.Info.Name + "\x00" + g.Info.Version
}

func (g *GL) binaryKey(sources string) string { return "program\x00" + g.driver() + "\x00" + sources }

// restore gives the linked program of these sources from the cache. The driver checks a
// binary that it is handed; one that it refuses is linked again.
func (g *GL) restore(sources string) (uint32, bool) {
	entry, ok := g.options.Cache.Get(g.binaryKey(sources))
	if !ok || len(entry) <= formatBytes {
		return 0, false
	}
	format := binary.LittleEndian.Uint32(entry)
	if !slices.Contains(g.formats, int32(format)) {
		return 0, false
	}
	code := entry[formatBytes:]
	id := gl.CreateProgram()
	gl.ProgramBinary(id, format, unsafe.Pointer(&code[0]), int32(len(code)))
	var linked int32
	if gl.GetProgramiv(id, gl.LINK_STATUS, &linked); linked == gl.FALSE {
		gl.DeleteProgram(id)
		return 0, false
	}
	return id, true
}

// keep puts a linked program into the cache.
func (g *GL) keep(sources string, id uint32) {
	if len(g.formats) == 0 {
		return
	}
	var n int32
	gl.GetProgramiv(id, gl.PROGRAM_BINARY_LENGTH, &n)
	if n <= 0 {
		return
	}
	entry := make([]byte, formatBytes+n)
	var format uint32
	gl.GetProgramBinary(id, n, &n, &format, unsafe.Pointer(&entry[formatBytes]))
	binary.LittleEndian.PutUint32(entry, format)
	g.options.Cache.Put(g.binaryKey(sources), entry[:formatBytes+n])
}

// Shaders counts the programs that the device has linked from their sources and those that
// it has taken from the cache.
func (d *Device[T]) Shaders() (compiled, restored int) {
	// A closed device has none any more.
	_ = d.thread.Do(func() error {
		compiled, restored = d.gl.compiled, d.gl.restored
		return nil
	})
	return compiled, restored
}
