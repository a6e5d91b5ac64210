package glcontext

import (
	"cmp"
	"unsafe"

	"github.com/ebitengine/purego"

	"inkshade/glcompute/message"
)

// eglContext is a context of EGL without a window; where the driver cannot do without a
// surface it has one of a single pixel.
type eglContext struct {
	egl                       *egl
	where                     string
	display, context, surface uintptr
}

func (c *eglContext) describe() string                    { return c.where }
func (c *eglContext) procAddr(name string) unsafe.Pointer { return c.egl.getProcAddress(name) }

func (c *eglContext) destroy() {
	c.egl.makeCurrent(c.display, 0, 0, 0)
	if c.surface != 0 {
		c.egl.destroySurface(c.display, c.surface)
	}
	c.egl.destroyContext(c.display, c.context)
	// The display is left initialised: other contexts of the process share it.
	c.egl.releaseThread()
}

func openContext(versions []Version, failed func(way string, err error)) (context, Version) {
	e, err := loadEGL()
	if err != nil {
		failed("libEGL", err)
		return nil, versions[0]
	}
	sources := e.sources()
	if len(sources) == 0 {
		failed("libEGL", message.Errorf("it offers neither a display nor a device"))
	}
	return best(sources, versions, func(s eglSource, v Version) (c context, software bool) {
		opened, err := e.open(s, v)
		if err != nil {
			way := s.where
			if v.ES {
				way += ", OpenGL ES"
			}
			failed(way, err)
			return nil, false
		}
		return opened, IsSoftware(opened.renderer())
	})
}

// best takes the first way that leads to a context of the first version, on hardware where there is any that offers one
// of them. A software renderer found on the session's display (a remote desktop, a virtual X server) stands in where all
// that is hardware has failed.
func best(sources []eglSource, versions []Version, open func(eglSource, Version) (c context, software bool)) (context, Version) {
	for _, last := range []bool{false, true} {
		for _, v := range versions {
			for i := range sources {
				s := &sources[i]
				if s.software != last {
					continue
				}
				c, software := open(*s, v)
				switch {
				case c == nil:
				case software && !last:
					c.destroy()
					s.software = true
				default:
					return c, v
				}
			}
		}
	}
	return nil, versions[0]
}

func (c *eglContext) renderer() string {
	p := c.egl.getProcAddress("glGetString")
	if p == nil {
		return ""
	}
	var getString func(name uint32) string
	purego.RegisterFunc(&getString, uintptr(p))
	return getString(glRenderer)
}

func (e *egl) open(s eglSource, v Version) (*eglContext, error) {
	display := s.display()
	if display == 0 {
		return nil, e.failure("no display")
	}
	if e.initialize(display, nil, nil) == 0 {
		return nil, e.failure("eglInitialize")
	}
	api, renderable := uint32(eglOpenGLAPI), int32(eglOpenGLBit)
	if v.ES {
		api, renderable = eglOpenGLESAPI, eglOpenGLES3Bit
	}
	if e.bindAPI(api) == 0 {
		return nil, e.failure("eglBindAPI")
	}
	extensions := e.queryString(display, eglExtensions)
	surfaceless := hasExtension(extensions, surfacelessExtension)
	var config uintptr
	if !surfaceless || !hasExtension(extensions, noConfigExtension) {
		attribs := []int32{eglRenderableType, renderable, eglSurfaceType, eglPbufferBit, eglNone}
		var n int32
		if e.chooseConfig(display, &attribs[0], &config, 1, &n) == 0 || n == 0 {
			return nil, e.failure("eglChooseConfig")
		}
	}
	c := &eglContext{egl: e, where: s.where, display: display}
	if c.context = e.newContext(display, config, v, hasExtension(extensions, robustnessExtension)); c.context == 0 {
		return nil, e.failure("eglCreateContext")
	}
	var err error
	if !surfaceless {
		attribs := []int32{eglWidth, 1, eglHeight, 1, eglNone}
		if c.surface = e.createPbuffer(display, config, &attribs[0]); c.surface == 0 {
			err = e.failure("eglCreatePbufferSurface")
		}
	}
	if err == nil && e.makeCurrent(display, c.surface, c.surface, c.context) == 0 {
		err = e.failure("eglMakeCurrent")
	}
	if err != nil {
		c.destroy()
		return nil, err
	}
	return c, nil
}

// newContext asks for a context that reports a reset of the GPU, where that exists.
func (e *egl) newContext(display, config uintptr, v Version, robust bool) uintptr {
	attribs := []int32{eglContextMajor, int32(v.Major), eglContextMinor, int32(v.Minor)}
	if !v.ES {
		attribs = append(attribs, eglContextProfile, eglContextCore)
	}
	if robust {
		with := append(attribs[:len(attribs):len(attribs)], eglResetStrategyExt, eglLoseContextOnReset, eglNone)
		if c := e.createContext(display, config, 0, &with[0]); c != 0 {
			return c
		}
	}
	attribs = append(attribs, eglNone)
	return e.createContext(display, config, 0, &attribs[0])
}

// failure is the last EGL error with what it befell.
func (e *egl) failure(what string) error {
	code := e.getError()
	name := map[int32]string{
		0x3000: "no error given", 0x3001: "not initialised", 0x3002: "bad access", 0x3003: "out of memory",
		0x3004: "bad attribute", 0x3005: "bad configuration", 0x3006: "bad context", 0x3008: "bad display",
		0x3009: "bad match", 0x300C: "bad parameter", 0x300E: "context lost",
	}[code]
	return message.Errorf("%s failed: EGL error %#x (%s)", what, code, cmp.Or(name, "unknown"))
}
