package glcontext

import (
	"strings"
	"syscall"
	"unsafe"

	"inkshade/glcompute/message"
)

// This file has been run under Wine, and not on Windows.

var (
	user32   = syscall.NewLazyDLL("user32.dll")
	gdi32    = syscall.NewLazyDLL("gdi32.dll")
	opengl32 = syscall.NewLazyDLL("opengl32.dll")

	createWindowEx    = user32.NewProc("CreateWindowExW")
	destroyWindow     = user32.NewProc("DestroyWindow")
	getDC             = user32.NewProc("GetDC")
	releaseDC         = user32.NewProc("ReleaseDC")
	choosePixelFormat = gdi32.NewProc("ChoosePixelFormat")
	setPixelFormat    = gdi32.NewProc("SetPixelFormat")
	wglCreateContext  = opengl32.NewProc("wglCreateContext")
	wglDeleteContext  = opengl32.NewProc("wglDeleteContext")
	wglMakeCurrent    = opengl32.NewProc("wglMakeCurrent")
	wglGetProcAddress = opengl32.NewProc("wglGetProcAddress")
)

// Values of wingdi.h, winuser.h and WGL_ARB_create_context.
const (
	wsPopup            = 0x80000000
	pfdDrawToWindow    = 0x04
	pfdSupportOpenGL   = 0x20
	wglContextMajor    = 0x2091
	wglContextMinor    = 0x2092
	wglContextProfile  = 0x9126
	wglContextCoreBit  = 0x01
	pixelColorBits     = 32
	invalidProcAddress = 3 // wglGetProcAddress fails with 0 to 3 or -1
)

// pixelFormat is PIXELFORMATDESCRIPTOR.
type pixelFormat struct {
	size, version                                           uint16
	flags                                                   uint32
	pixelType, colorBits                                    byte
	colors                                                  [8]byte
	accumBits                                               [5]byte
	depthBits, stencilBits, auxBuffers, layerType, reserved byte
	layerMask, visibleMask, damageMask                      uint32
}

// wglContext is a context on a window of our own that is never shown. WGL contexts need
// a window's device context; it belongs to the thread that made it.
type wglContext struct{ window, dc, context uintptr }

func (c *wglContext) describe() string { return "WGL hidden window" }

// procAddr asks the driver first; functions of OpenGL 1.1 are exported by the system's
// library itself.
func (c *wglContext) procAddr(name string) unsafe.Pointer {
	if p := wglAddress(name); p != 0 {
		return pointer(p)
	}
	if proc := opengl32.NewProc(name); proc.Find() == nil {
		return pointer(proc.Addr())
	}
	return nil
}

func (c *wglContext) destroy() {
	wglMakeCurrent.Call(0, 0)
	if c.context != 0 {
		wglDeleteContext.Call(c.context)
	}
	if c.dc != 0 {
		releaseDC.Call(c.window, c.dc)
	}
	if c.window != 0 {
		destroyWindow.Call(c.window)
	}
}

// openContext asks for the first version alone: drivers for Windows that have OpenGL ES have more on the desktop.
func openContext(versions []Version, failed func(way string, err error)) (context, Version) {
	c, v := &wglContext{}, versions[0]
	if err := c.open(v); err != nil {
		failed("WGL", err)
		return nil, v
	}
	return c, v
}

// open makes an old context first, because only with one current does the driver tell
// its function for core contexts.
func (c *wglContext) open(v Version) (err error) {
	if v.ES {
		return message.Errorf("OpenGL ES is not asked for on this system")
	}
	if err := opengl32.Load(); err != nil {
		return unended{err}
	}
	defer func() {
		if err != nil {
			c.destroy()
		}
	}()
	class, _ := syscall.UTF16PtrFromString("STATIC") // which, as the title, holds no zero
	title, _ := syscall.UTF16PtrFromString("Inkshade")
	if c.window, _, err = createWindowEx.Call(0, uintptr(unsafe.Pointer(class)), uintptr(unsafe.Pointer(title)),
		wsPopup, 0, 0, 1, 1, 0, 0, 0, 0); c.window == 0 {
		return failed("CreateWindowEx", err)
	}
	if c.dc, _, err = getDC.Call(c.window); c.dc == 0 {
		return failed("GetDC", err)
	}
	format := pixelFormat{version: 1, flags: pfdDrawToWindow | pfdSupportOpenGL, colorBits: pixelColorBits}
	format.size = uint16(unsafe.Sizeof(format))
	number, _, err := choosePixelFormat.Call(c.dc, uintptr(unsafe.Pointer(&format)))
	if number == 0 {
		return failed("ChoosePixelFormat", err)
	}
	if ok, _, err := setPixelFormat.Call(c.dc, number, uintptr(unsafe.Pointer(&format))); ok == 0 {
		return failed("SetPixelFormat", err)
	}
	if c.context, _, err = wglCreateContext.Call(c.dc); c.context == 0 {
		return failed("wglCreateContext", err)
	}
	if ok, _, err := wglMakeCurrent.Call(c.dc, c.context); ok == 0 {
		return failed("wglMakeCurrent", err)
	}
	create := wglAddress("wglCreateContextAttribsARB")
	if create == 0 {
		return message.Errorf("the driver makes no core contexts; it is probably the one that comes with Windows")
	}
	attribs := []int32{wglContextMajor, int32(v.Major), wglContextMinor, int32(v.Minor), wglContextProfile, wglContextCoreBit, 0}
	core, _, code := syscall.SyscallN(create, c.dc, 0, uintptr(unsafe.Pointer(&attribs[0])))
	if core == 0 {
		return failed("wglCreateContextAttribsARB", code)
	}
	wglDeleteContext.Call(c.context)
	c.context = core
	if ok, _, err := wglMakeCurrent.Call(c.dc, c.context); ok == 0 {
		return failed("wglMakeCurrent of the core context", err)
	}
	return nil
}

// failed is the error of a function of Windows.
func failed(function string, err error) error {
	return message.Errorf("%s failed: %w", function, unended{err})
}

// unended is an error of Windows, which says sentences, without its full stop.
type unended struct{ error }

func (e unended) Error() string { return strings.TrimSuffix(e.error.Error(), ".") }
func (e unended) Unwrap() error { return e.error }

// wglAddress is 0 for a name that the driver does not know.
func wglAddress(name string) uintptr {
	text := append([]byte(name), 0)
	p, _, _ := wglGetProcAddress.Call(uintptr(unsafe.Pointer(&text[0])))
	if p <= invalidProcAddress || p == ^uintptr(0) {
		return 0
	}
	return p
}

// pointer turns the address of a function, which no garbage collector moves, into a
// pointer.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
