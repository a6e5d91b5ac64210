package gl

/*
#include "functions.h"
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

// Trim gives back to the system what a closed context has freed. glibc keeps it for the thread that
// had the context, and the next context comes with a new thread.
func Trim() { C.trim() }

var loading sync.Mutex

// Load looks the functions of a version up in the current context. The table is one for the
// process: what one context has found stands for all, and a later version adds to it. The
// error names a function of this version that the driver lacks.
func Load(major, minor int, procAddr func(name string) unsafe.Pointer) error {
	loading.Lock()
	defer loading.Unlock()
	for i := C.int(0); ; i++ {
		entry := C.entryAt(i)
		if entry.name == nil {
			return nil
		}
		if *entry.pointer != nil {
			continue
		}
		name := C.GoString(entry.name)
		*entry.pointer = procAddr(name)
		if *entry.pointer == nil && entry.version > 0 && int(entry.version) <= 10*major+minor {
			return fmt.Errorf("the driver's OpenGL lacks %s of version %d.%d", name, major, minor)
		}
	}
}

func ActiveTexture(texture uint32)        { C.glActiveTexture(C.uint(texture)) }
func AttachShader(program, shader uint32) { C.glAttachShader(C.uint(program), C.uint(shader)) }
func BeginQuery(target, id uint32)        { C.glBeginQuery(C.uint(target), C.uint(id)) }
func BindBuffer(target, buffer uint32)    { C.glBindBuffer(C.uint(target), C.uint(buffer)) }
func BindBufferBase(target, index, buffer uint32) {
	C.glBindBufferBase(C.uint(target), C.uint(index), C.uint(buffer))
}

func BindFramebuffer(target, framebuffer uint32) {
	C.glBindFramebuffer(C.uint(target), C.uint(framebuffer))
}
func BindTexture(target, texture uint32) { C.glBindTexture(C.uint(target), C.uint(texture)) }
func BindVertexArray(array uint32)       { C.glBindVertexArray(C.uint(array)) }
func BufferData(target uint32, size int, data unsafe.Pointer, usage uint32) {
	C.glBufferData(C.uint(target), C.intptr_t(size), data, C.uint(usage))
}

func BufferSubData(target uint32, offset, size int, data unsafe.Pointer) {
	C.glBufferSubData(C.uint(target), C.intptr_t(offset), C.intptr_t(size), data)
}

func CheckFramebufferStatus(target uint32) uint32 {
	return uint32(C.glCheckFramebufferStatus(C.uint(target)))
}
func Clear(mask uint32) { C.glClear(C.uint(mask)) }
func ClearBufferData(target, internal, format, kind uint32, data unsafe.Pointer) {
	C.glClearBufferData(C.uint(target), C.uint(internal), C.uint(format), C.uint(kind), data)
}

func ClearColor(red, green, blue, alpha float32) {
	C.glClearColor(C.float(red), C.float(green), C.float(blue), C.float(alpha))
}

func ClientWaitSync(sync uintptr, flags uint32, timeout uint64) uint32 {
	return uint32(C.glClientWaitSync(C.uintptr_t(sync), C.uint(flags), C.uint64_t(timeout)))
}
func CompileShader(shader uint32) { C.glCompileShader(C.uint(shader)) }
func CopyBufferSubData(readTarget, writeTarget uint32, readOffset, writeOffset, size int) {
	C.glCopyBufferSubData(C.uint(readTarget), C.uint(writeTarget), C.intptr_t(readOffset), C.intptr_t(writeOffset), C.intptr_t(size))
}
func CreateProgram() uint32                  { return uint32(C.glCreateProgram()) }
func CreateShader(kind uint32) uint32        { return uint32(C.glCreateShader(C.uint(kind))) }
func DeleteBuffers(n int32, buffers *uint32) { C.glDeleteBuffers(C.int(n), (*C.uint)(buffers)) }
func DeleteFramebuffers(n int32, framebuffers *uint32) {
	C.glDeleteFramebuffers(C.int(n), (*C.uint)(framebuffers))
}
func DeleteProgram(program uint32)             { C.glDeleteProgram(C.uint(program)) }
func DeleteQueries(n int32, ids *uint32)       { C.glDeleteQueries(C.int(n), (*C.uint)(ids)) }
func DeleteShader(shader uint32)               { C.glDeleteShader(C.uint(shader)) }
func DeleteSync(sync uintptr)                  { C.glDeleteSync(C.uintptr_t(sync)) }
func DeleteTextures(n int32, textures *uint32) { C.glDeleteTextures(C.int(n), (*C.uint)(textures)) }

func DeleteVertexArrays(n int32, arrays *uint32) { C.glDeleteVertexArrays(C.int(n), (*C.uint)(arrays)) }
func Disable(capability uint32)                  { C.glDisable(C.uint(capability)) }
func DispatchCompute(x, y, z uint32)             { C.glDispatchCompute(C.uint(x), C.uint(y), C.uint(z)) }

func DrawArrays(mode uint32, first, count int32) {
	C.glDrawArrays(C.uint(mode), C.int(first), C.int(count))
}
func DrawBuffers(n int32, bufs *uint32) { C.glDrawBuffers(C.int(n), (*C.uint)(bufs)) }
func EndQuery(target uint32)            { C.glEndQuery(C.uint(target)) }
func FenceSync(condition, flags uint32) uintptr {
	return uintptr(C.glFenceSync(C.uint(condition), C.uint(flags)))
}
func Finish() { C.glFinish() }
func Flush()  { C.glFlush() }
func FramebufferTextureLayer(target, attachment, texture uint32, level, layer int32) {
	C.glFramebufferTextureLayer(C.uint(target), C.uint(attachment), C.uint(texture), C.int(level), C.int(layer))
}
func GenBuffers(n int32, buffers *uint32) { C.glGenBuffers(C.int(n), (*C.uint)(buffers)) }
func GenFramebuffers(n int32, framebuffers *uint32) {
	C.glGenFramebuffers(C.int(n), (*C.uint)(framebuffers))
}
func GenQueries(n int32, ids *uint32)         { C.glGenQueries(C.int(n), (*C.uint)(ids)) }
func GenTextures(n int32, textures *uint32)   { C.glGenTextures(C.int(n), (*C.uint)(textures)) }
func GenVertexArrays(n int32, arrays *uint32) { C.glGenVertexArrays(C.int(n), (*C.uint)(arrays)) }
func GetBufferSubData(target uint32, offset, size int, data unsafe.Pointer) {
	C.glGetBufferSubData(C.uint(target), C.intptr_t(offset), C.intptr_t(size), data)
}
func GetError() uint32                        { return uint32(C.glGetError()) }
func GetGraphicsResetStatus() uint32          { return uint32(C.glGetGraphicsResetStatus()) }
func GetInteger64v(pname uint32, data *int64) { C.glGetInteger64v(C.uint(pname), (*C.int64_t)(data)) }
func GetIntegerv(pname uint32, data *int32)   { C.glGetIntegerv(C.uint(pname), (*C.int)(data)) }
func GetProgramBinary(program uint32, bufSize int32, length *int32, binaryFormat *uint32, binary unsafe.Pointer) {
	C.glGetProgramBinary(C.uint(program), C.int(bufSize), (*C.int)(length), (*C.uint)(binaryFormat), binary)
}

func GetProgramInfoLog(program uint32, bufSize int32, length *int32, log *byte) {
	C.glGetProgramInfoLog(C.uint(program), C.int(bufSize), (*C.int)(length), (*C.char)(unsafe.Pointer(log)))
}

func GetProgramiv(program, pname uint32, value *int32) {
	C.glGetProgramiv(C.uint(program), C.uint(pname), (*C.int)(value))
}

func GetQueryObjectui64v(id, pname uint32, value *uint64) {
	C.glGetQueryObjectui64v(C.uint(id), C.uint(pname), (*C.uint64_t)(value))
}

func GetQueryiv(target, pname uint32, value *int32) {
	C.glGetQueryiv(C.uint(target), C.uint(pname), (*C.int)(value))
}

func GetShaderInfoLog(shader uint32, bufSize int32, length *int32, log *byte) {
	C.glGetShaderInfoLog(C.uint(shader), C.int(bufSize), (*C.int)(length), (*C.char)(unsafe.Pointer(log)))
}

func GetShaderiv(shader, pname uint32, value *int32) {
	C.glGetShaderiv(C.uint(shader), C.uint(pname), (*C.int)(value))
}
func GetString(name uint32) string { return C.GoString(C.glGetString(C.uint(name))) }
func GetStringi(name, index uint32) string {
	return C.GoString(C.glGetStringi(C.uint(name), C.uint(index)))
}

func GetTexImage(target uint32, level int32, format, kind uint32, pixels unsafe.Pointer) {
	C.glGetTexImage(C.uint(target), C.int(level), C.uint(format), C.uint(kind), pixels)
}

// GetUniformLocation is -1 for a name that is no uniform of the program.
func GetUniformLocation(program uint32, name string) int32 {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return int32(C.glGetUniformLocation(C.uint(program), text))
}

func LinkProgram(program uint32) { C.glLinkProgram(C.uint(program)) }
func MapBufferRange(target uint32, offset, length int, access uint32) unsafe.Pointer {
	return C.glMapBufferRange(C.uint(target), C.intptr_t(offset), C.intptr_t(length), C.uint(access))
}
func MemoryBarrier(barriers uint32)         { C.glMemoryBarrier(C.uint(barriers)) }
func PixelStorei(pname uint32, param int32) { C.glPixelStorei(C.uint(pname), C.int(param)) }
func ProgramBinary(program, binaryFormat uint32, binary unsafe.Pointer, length int32) {
	C.glProgramBinary(C.uint(program), C.uint(binaryFormat), binary, C.int(length))
}

func ProgramParameteri(program, pname uint32, value int32) {
	C.glProgramParameteri(C.uint(program), C.uint(pname), C.int(value))
}
func ReadBuffer(src uint32) { C.glReadBuffer(C.uint(src)) }
func ReadPixels(x, y, width, height int32, format, kind uint32, pixels unsafe.Pointer) {
	C.glReadPixels(C.int(x), C.int(y), C.int(width), C.int(height), C.uint(format), C.uint(kind), pixels)
}

// ShaderSource hands over the complete text of a shader.
func ShaderSource(shader uint32, text string) {
	source := C.CString(text)
	defer C.free(unsafe.Pointer(source))
	C.glShaderSource(C.uint(shader), 1, &source, nil)
}

func TexBuffer(target, internal, buffer uint32) {
	C.glTexBuffer(C.uint(target), C.uint(internal), C.uint(buffer))
}

func TexImage3D(target uint32, level, internal, width, height, depth, border int32, format, kind uint32, pixels unsafe.Pointer) {
	C.glTexImage3D(C.uint(target), C.int(level), C.int(internal), C.int(width), C.int(height), C.int(depth), C.int(border), C.uint(format), C.uint(kind), pixels)
}

func TexParameteri(target, pname uint32, param int32) {
	C.glTexParameteri(C.uint(target), C.uint(pname), C.int(param))
}

func TexSubImage3D(target uint32, level, xoffset, yoffset, zoffset, width, height, depth int32, format, kind uint32, pixels unsafe.Pointer) {
	C.glTexSubImage3D(C.uint(target), C.int(level), C.int(xoffset), C.int(yoffset), C.int(zoffset), C.int(width), C.int(height), C.int(depth), C.uint(format), C.uint(kind), pixels)
}
func Uniform1i(location, v0 int32)   { C.glUniform1i(C.int(location), C.int(v0)) }
func UnmapBuffer(target uint32) bool { return C.glUnmapBuffer(C.uint(target)) != 0 }
func UseProgram(program uint32)      { C.glUseProgram(C.uint(program)) }
func Viewport(x, y, width, height int32) {
	C.glViewport(C.int(x), C.int(y), C.int(width), C.int(height))
}
