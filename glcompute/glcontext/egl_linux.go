package glcontext

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"inkshade/glcompute/message"
)

// Values of EGL 1.5 and its extensions (Khronos registry).
const (
	eglNone                 = 0x3038
	eglExtensions           = 0x3055
	eglSurfaceType          = 0x3033
	eglPbufferBit           = 0x0001
	eglRenderableType       = 0x3040
	eglOpenGLBit            = 0x0008
	eglOpenGLES3Bit         = 0x0040
	eglOpenGLESAPI          = 0x30A0
	eglOpenGLAPI            = 0x30A2
	eglWidth                = 0x3057
	eglHeight               = 0x3056
	eglContextMajor         = 0x3098
	eglContextMinor         = 0x30FB
	eglContextProfile       = 0x30FD
	eglContextCore          = 0x0001
	eglResetStrategyExt     = 0x3138 // EGL_EXT_create_context_robustness
	eglLoseContextOnReset   = 0x31BF
	eglPlatformDevice       = 0x313F
	eglPlatformSurfaceless  = 0x31DD
	glRenderer              = 0x1F01
	maxDevices              = 16
	softwareDeviceExtension = "EGL_MESA_device_software"
	surfacelessExtension    = "EGL_KHR_surfaceless_context"
	noConfigExtension       = "EGL_KHR_no_config_context"
	robustnessExtension     = "EGL_EXT_create_context_robustness"
)

// egl is the part of libEGL that is used; made once per process by loadEGL.
type egl struct {
	getError         func() int32
	getDisplay       func(native uintptr) uintptr
	initialize       func(display uintptr, major, minor *int32) uint32
	bindAPI          func(api uint32) uint32
	queryString      func(display uintptr, name int32) string
	chooseConfig     func(display uintptr, attribs *int32, configs *uintptr, size int32, count *int32) uint32
	createContext    func(display, config, share uintptr, attribs *int32) uintptr
	createPbuffer    func(display, config uintptr, attribs *int32) uintptr
	makeCurrent      func(display, draw, read, context uintptr) uint32
	destroySurface   func(display, surface uintptr) uint32
	destroyContext   func(display, context uintptr) uint32
	releaseThread    func() uint32
	getProcAddress   func(name string) unsafe.Pointer
	platformDisplay  func(platform uint32, native uintptr, attribs *int32) uintptr // nil without EGL_EXT_platform_base
	queryDevices     func(size int32, devices *uintptr, count *int32) uint32       // nil without EGL_EXT_device_enumeration
	deviceExtensions func(device uintptr, name int32) string
}

// Zink of Mesa 22.3 would make constants of uniforms, and compute with those of an earlier pass. It is said before anything asks
// for the environment, since what is known of a driver counts for the environment it was tried in.
func init() {
	if variable := "ZINK_INLINE_UNIFORMS"; os.Getenv(variable) == "" {
		_ = os.Setenv(variable, "0")
	}
}

var loadEGL = sync.OnceValues(func() (*egl, error) { return loadEGLFrom("libEGL.so.1", "libEGL.so") })

// loadEGLFrom loads the first library of these names that is there.
func loadEGLFrom(names ...string) (e *egl, err error) {
	var lib uintptr
	for _, name := range names {
		if lib, err = purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	// RegisterLibFunc panics on a missing symbol; a libEGL without these is not one.
	defer func() {
		if r := recover(); r != nil {
			e, err = nil, message.Errorf("libEGL is not usable: %v", r)
		}
	}()
	e = &egl{}
	for name, f := range map[string]any{
		"eglGetError": &e.getError, "eglGetDisplay": &e.getDisplay, "eglInitialize": &e.initialize,
		"eglBindAPI": &e.bindAPI, "eglQueryString": &e.queryString, "eglChooseConfig": &e.chooseConfig,
		"eglCreateContext": &e.createContext, "eglCreatePbufferSurface": &e.createPbuffer,
		"eglMakeCurrent": &e.makeCurrent, "eglDestroySurface": &e.destroySurface,
		"eglDestroyContext": &e.destroyContext, "eglReleaseThread": &e.releaseThread,
		"eglGetProcAddress": &e.getProcAddress,
	} {
		purego.RegisterLibFunc(f, lib, name)
	}
	e.loadExtensions()
	return e, nil
}

// loadExtensions looks at the client extensions first: eglGetProcAddress may answer for
// names that the library does not know.
func (e *egl) loadExtensions() {
	client := e.queryString(0, eglExtensions)
	register := func(f any, name string) {
		if p := e.getProcAddress(name); p != nil {
			purego.RegisterFunc(f, uintptr(p))
		}
	}
	if hasExtension(client, "EGL_EXT_platform_base") {
		register(&e.platformDisplay, "eglGetPlatformDisplayEXT")
	}
	if hasExtension(client, "EGL_EXT_device_enumeration") || hasExtension(client, "EGL_EXT_device_base") {
		register(&e.queryDevices, "eglQueryDevicesEXT")
	}
	if hasExtension(client, "EGL_EXT_device_query") || hasExtension(client, "EGL_EXT_device_base") {
		register(&e.deviceExtensions, "eglQueryDeviceStringEXT")
	}
}

func hasExtension(list, name string) bool { return slices.Contains(strings.Fields(list), name) }

// eglSource is one way to an EGL display.
type eglSource struct {
	where    string
	software bool // known to draw on the processor, or the last to be tried
	display  func() uintptr
}

// sources lists the ways in the order in which they are tried: the display of the session
// (the GPU that draws the desktop), then the devices without a display, hardware first,
// then Mesa's surfaceless platform. With NVIDIA's driver beside Mesa the last one is a
// software renderer, which is why it is last.
func (e *egl) sources() []eglSource {
	var all []eglSource
	if os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		all = append(all, eglSource{where: "EGL default display", display: func() uintptr { return e.getDisplay(0) }})
	}
	var software []eglSource
	for i, device := range e.devices() {
		s := eglSource{
			where:   fmt.Sprintf("EGL device %d", i),
			display: func() uintptr { return e.platformDisplay(eglPlatformDevice, device, nil) },
		}
		if e.deviceExtensions != nil && hasExtension(e.deviceExtensions(device, eglExtensions), softwareDeviceExtension) {
			s.where += " (software)"
			s.software = true
			software = append(software, s)
		} else {
			all = append(all, s)
		}
	}
	all = append(all, software...)
	if e.platformDisplay != nil {
		all = append(all, eglSource{
			where: "EGL surfaceless", software: true,
			display: func() uintptr { return e.platformDisplay(eglPlatformSurfaceless, 0, nil) },
		})
	}
	return all
}

func (e *egl) devices() []uintptr {
	if e.queryDevices == nil || e.platformDisplay == nil {
		return nil
	}
	var list [maxDevices]uintptr
	var n int32
	if e.queryDevices(maxDevices, &list[0], &n) == 0 {
		return nil
	}
	return list[:n]
}
