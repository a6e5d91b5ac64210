// Package gl stands in for the package of the same name of github.com/go-gl/gl: it binds the
// functions of OpenGL that Fyne's painter calls, under the names by which it calls them.
// go-gl's own binds all 2,900 of OpenGL 2.1 with its extensions, which takes a C compiler four
// minutes.
package gl

// #include "functions.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// Values of the Khronos registry.
const (
	ARRAY_BUFFER             = 0x8892
	BLEND                    = 0x0BE2
	CLAMP_TO_EDGE            = 0x812F
	COLOR_BUFFER_BIT         = 0x00004000
	COMPILE_STATUS           = 0x8B81
	CONSTANT_ALPHA           = 0x8003
	DEPTH_BUFFER_BIT         = 0x00000100
	DEPTH_TEST               = 0x0B71
	FALSE                    = 0
	FLOAT                    = 0x1406
	FRAGMENT_SHADER          = 0x8B30
	FRONT                    = 0x0404
	INFO_LOG_LENGTH          = 0x8B84
	LINEAR                   = 0x2601
	LINK_STATUS              = 0x8B82
	NEAREST                  = 0x2600
	ONE                      = 1
	ONE_MINUS_CONSTANT_ALPHA = 0x8004
	ONE_MINUS_SRC_ALPHA      = 0x0303
	RGBA                     = 0x1908
	SCISSOR_TEST             = 0x0C11
	SRC_ALPHA                = 0x0302
	STATIC_DRAW              = 0x88E4
	TEXTURE0                 = 0x84C0
	TEXTURE_2D               = 0x0DE1
	TEXTURE_MAG_FILTER       = 0x2800
	TEXTURE_MIN_FILTER       = 0x2801
	TEXTURE_WRAP_S           = 0x2802
	TEXTURE_WRAP_T           = 0x2803
	TRIANGLES                = 0x0004
	TRIANGLE_STRIP           = 0x0005
	UNSIGNED_BYTE            = 0x1401
	VERTEX_SHADER            = 0x8B31
)

// Init looks the functions up in the window's context, which is current.
func Init() error {
	for i := C.int(0); ; i++ {
		entry := C.entryAt(i)
		if entry.name == nil {
			return nil
		}
		name := C.GoString(entry.name)
		if *entry.pointer = glfw.GetProcAddress(name); *entry.pointer == nil {
			return fmt.Errorf("the driver's OpenGL lacks %s", name)
		}
	}
}

// Ptr is the address of the first element.
func Ptr[T any](data []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(data)) }

// Str is the address of a text that ends with a zero.
func Str(text string) *byte { return unsafe.StringData(text) }

// Strs copies a text for C, as a list of one, and says how to free it.
func Strs(text string) (list **byte, free func()) {
	source := (*byte)(unsafe.Pointer(C.CString(text)))
	return &source, func() { C.free(unsafe.Pointer(source)) }
}

func ActiveTexture(texture uint32)        { C.glActiveTexture(C.uint(texture)) }
func AttachShader(program, shader uint32) { C.glAttachShader(C.uint(program), C.uint(shader)) }
func BindBuffer(target, buffer uint32)    { C.glBindBuffer(C.uint(target), C.uint(buffer)) }
func BindTexture(target, texture uint32)  { C.glBindTexture(C.uint(target), C.uint(texture)) }
func BlendColor(red, green, blue, alpha float32) {
	C.glBlendColor(C.float(red), C.float(green), C.float(blue), C.float(alpha))
}
func BlendFunc(sfactor, dfactor uint32) { C.glBlendFunc(C.uint(sfactor), C.uint(dfactor)) }
func BufferData(target uint32, size int, data unsafe.Pointer, usage uint32) {
	C.glBufferData(C.uint(target), C.intptr_t(size), data, C.uint(usage))
}

func BufferSubData(target uint32, offset, size int, data unsafe.Pointer) {
	C.glBufferSubData(C.uint(target), C.intptr_t(offset), C.intptr_t(size), data)
}
func Clear(mask uint32) { C.glClear(C.uint(mask)) }
func ClearColor(red, green, blue, alpha float32) {
	C.glClearColor(C.float(red), C.float(green), C.float(blue), C.float(alpha))
}
func CompileShader(shader uint32)              { C.glCompileShader(C.uint(shader)) }
func CreateProgram() uint32                    { return uint32(C.glCreateProgram()) }
func CreateShader(kind uint32) uint32          { return uint32(C.glCreateShader(C.uint(kind))) }
func DeleteBuffers(n int32, buffers *uint32)   { C.glDeleteBuffers(C.int(n), (*C.uint)(buffers)) }
func DeleteTextures(n int32, textures *uint32) { C.glDeleteTextures(C.int(n), (*C.uint)(textures)) }
func Disable(capability uint32)                { C.glDisable(C.uint(capability)) }
func DrawArrays(mode uint32, first, count int32) {
	C.glDrawArrays(C.uint(mode), C.int(first), C.int(count))
}
func Enable(capability uint32)              { C.glEnable(C.uint(capability)) }
func EnableVertexAttribArray(index uint32)  { C.glEnableVertexAttribArray(C.uint(index)) }
func GenBuffers(n int32, buffers *uint32)   { C.glGenBuffers(C.int(n), (*C.uint)(buffers)) }
func GenTextures(n int32, textures *uint32) { C.glGenTextures(C.int(n), (*C.uint)(textures)) }
func GetAttribLocation(program uint32, name *byte) int32 {
	return int32(C.glGetAttribLocation(C.uint(program), (*C.char)(unsafe.Pointer(name))))
}
func GetError() uint32 { return uint32(C.glGetError()) }
func GetProgramInfoLog(program uint32, bufSize int32, length *int32, log *byte) {
	C.glGetProgramInfoLog(C.uint(program), C.int(bufSize), (*C.int)(length), (*C.char)(unsafe.Pointer(log)))
}

func GetProgramiv(program, pname uint32, value *int32) {
	C.glGetProgramiv(C.uint(program), C.uint(pname), (*C.int)(value))
}

func GetShaderInfoLog(shader uint32, bufSize int32, length *int32, log *byte) {
	C.glGetShaderInfoLog(C.uint(shader), C.int(bufSize), (*C.int)(length), (*C.char)(unsafe.Pointer(log)))
}

func GetShaderiv(shader, pname uint32, value *int32) {
	C.glGetShaderiv(C.uint(shader), C.uint(pname), (*C.int)(value))
}

func GetUniformLocation(program uint32, name *byte) int32 {
	return int32(C.glGetUniformLocation(C.uint(program), (*C.char)(unsafe.Pointer(name))))
}
func LinkProgram(program uint32) { C.glLinkProgram(C.uint(program)) }
func ReadBuffer(src uint32)      { C.glReadBuffer(C.uint(src)) }
func ReadPixels(x, y, width, height int32, format, kind uint32, pixels unsafe.Pointer) {
	C.glReadPixels(C.int(x), C.int(y), C.int(width), C.int(height), C.uint(format), C.uint(kind), pixels)
}

func Scissor(x, y, width, height int32) { C.glScissor(C.int(x), C.int(y), C.int(width), C.int(height)) }

func ShaderSource(shader uint32, count int32, text **byte, length *int32) {
	C.glShaderSource(C.uint(shader), C.int(count), (**C.char)(unsafe.Pointer(text)), (*C.int)(length))
}

func TexImage2D(target uint32, level, internal, width, height, border int32, format, kind uint32, pixels unsafe.Pointer) {
	C.glTexImage2D(C.uint(target), C.int(level), C.int(internal), C.int(width), C.int(height), C.int(border), C.uint(format), C.uint(kind), pixels)
}

func TexParameteri(target, pname uint32, param int32) {
	C.glTexParameteri(C.uint(target), C.uint(pname), C.int(param))
}
func Uniform1f(location int32, v0 float32) { C.glUniform1f(C.int(location), C.float(v0)) }
func Uniform2f(location int32, v0, v1 float32) {
	C.glUniform2f(C.int(location), C.float(v0), C.float(v1))
}

func Uniform4f(location int32, v0, v1, v2, v3 float32) {
	C.glUniform4f(C.int(location), C.float(v0), C.float(v1), C.float(v2), C.float(v3))
}
func UseProgram(program uint32) { C.glUseProgram(C.uint(program)) }
func VertexAttribPointerWithOffset(index uint32, size int32, kind uint32, normalized bool, stride int32, offset uintptr) {
	C.glVertexAttribPointer(C.uint(index), C.int(size), C.uint(kind), C.bool(normalized), C.int(stride), C.uintptr_t(offset))
}

func Viewport(x, y, width, height int32) {
	C.glViewport(C.int(x), C.int(y), C.int(width), C.int(height))
}
