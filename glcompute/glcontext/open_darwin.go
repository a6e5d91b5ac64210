package glcontext

import (
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"inkshade/glcompute/message"
)

// This file has been compiled and vetted, and not been run.

// Values of CGLTypes.h. macOS knows three profiles; the 4.1 core profile (0x4100) serves
// every version up to 4.1, and there is no later one.
const (
	cglProfile             = 99
	cglProfile41Core       = 0x4100
	cglAccelerated         = 73
	cglAllowOfflineDevices = 96
	cglPath                = "/System/Library/Frameworks/OpenGL.framework/OpenGL"
)

type cgl struct {
	lib                uintptr
	choosePixelFormat  func(attribs *int32, format *uintptr, count *int32) int32
	destroyPixelFormat func(format uintptr) int32
	createContext      func(format, share uintptr, context *uintptr) int32
	destroyContext     func(context uintptr) int32
	setCurrent         func(context uintptr) int32
	errorString        func(code int32) string
	symbol             func(handle uintptr, name string) unsafe.Pointer // dlsym
}

var loadCGL = sync.OnceValues(func() (c *cgl, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, message.Errorf("the OpenGL framework is not usable: %v", r)
		}
	}()
	lib, err := purego.Dlopen(cglPath, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	c = &cgl{lib: lib}
	for name, f := range map[string]any{
		"CGLChoosePixelFormat": &c.choosePixelFormat, "CGLDestroyPixelFormat": &c.destroyPixelFormat,
		"CGLCreateContext": &c.createContext, "CGLDestroyContext": &c.destroyContext,
		"CGLSetCurrentContext": &c.setCurrent, "CGLErrorString": &c.errorString,
	} {
		purego.RegisterLibFunc(f, lib, name)
	}
	purego.RegisterLibFunc(&c.symbol, purego.RTLD_DEFAULT, "dlsym")
	return c, nil
})

type cglContext struct {
	cgl     *cgl
	where   string
	context uintptr
}

func (c *cglContext) describe() string                    { return c.where }
func (c *cglContext) procAddr(name string) unsafe.Pointer { return c.cgl.symbol(c.cgl.lib, name) }

func (c *cglContext) destroy() {
	c.cgl.setCurrent(0)
	c.cgl.destroyContext(c.context)
}

// openContext takes a hardware renderer where there is one, also one without a display, of the first version: macOS has no
// OpenGL ES.
func openContext(versions []Version, failed func(way string, err error)) (context, Version) {
	v := versions[0]
	lib, err := loadCGL()
	if v.ES || v.Major > 4 || v.Major == 4 && v.Minor > 1 {
		err = message.Errorf("macOS ends at OpenGL 4.1")
	}
	if err != nil {
		failed("CGL", err)
		return nil, v
	}
	for _, way := range []struct {
		where   string
		attribs []int32
	}{
		{"CGL accelerated", []int32{cglProfile, cglProfile41Core, cglAccelerated, cglAllowOfflineDevices, 0}},
		{"CGL any renderer", []int32{cglProfile, cglProfile41Core, 0}},
	} {
		c, err := lib.open(way.where, way.attribs)
		if err == nil {
			return c, v
		}
		failed(way.where, err)
	}
	return nil, v
}

func (c *cgl) open(where string, attribs []int32) (*cglContext, error) {
	var format, context uintptr
	var n int32
	if code := c.choosePixelFormat(&attribs[0], &format, &n); code != 0 || format == 0 {
		return nil, message.Errorf("CGLChoosePixelFormat failed: %s", c.errorString(code))
	}
	defer c.destroyPixelFormat(format)
	if code := c.createContext(format, 0, &context); code != 0 {
		return nil, message.Errorf("CGLCreateContext failed: %s", c.errorString(code))
	}
	if code := c.setCurrent(context); code != 0 {
		c.destroyContext(context)
		return nil, message.Errorf("CGLSetCurrentContext failed: %s", c.errorString(code))
	}
	return &cglContext{cgl: c, where: where, context: context}, nil
}
