package nn

func (m *onnxModel) decode(b []byte) error {
	return eachField(b, func(f field) error {
		switch f.number {
		case 1:
			return f.int64(&m.irVersion)
		case 2:
			return f.text(&m.producer)
		case 3:
			return f.text(&m.producerVersion)
		case 7:
			if m.graph == nil {
				m.graph = &onnxGraph{}
			}
			return f.message("graph", m.graph.decode)
		case 8:
			return anotherMessage(f, "opset", &m.opsets)
		case 14:
			return anotherMessage(f, "metadata", &m.metadata)
		}
		return nil
	})
}

func (o *onnxOpset) decode(b []byte) error {
	return eachField(b, func(f field) error {
		switch f.number {
		case 1:
			return f.text(&o.domain)
		case 2:
			return f.int64(&o.version)
		}
		return nil
	})
}

func (e *onnxEntry) decode(b []byte) error {
	return eachField(b, func(f field) error {
		switch f.number {
		case 1:
			return f.text(&e.key)
		case 2:
			return f.text(&e.value)
		}
		return nil
	})
}

func (g *onnxGraph) decode(b []byte) error {
	return eachField(b, func(f field) error {
		switch f.number {
		case 1:
			return anotherMessage(f, "node", &g.nodes)
		case 2:
			return f.text(&g.name)
		case 5:
			return anotherMessage(f, "initializer", &g.initializers)
		case 11:
			return anotherMessage(f, "input", &g.inputs)
		case 12:
			return anotherMessage(f, "output", &g.outputs)
		case 15:
			g.sparse = true
		}
		return nil
	})
}

func (n *onnxNode) decode(b []byte) error {
	return eachField(b, func(f field) error {
		switch f.number {
		case 1:
			return f.anotherText(&n.inputs)
		case 2:
			return f.anotherText(&n.outputs)
		case 3:
			return f.text(&n.name)
		case 4:
			return f.text(&n.op)
		case 5:
			return anotherMessage(f, "attribute", &n.attributes)
		case 7:
			return f.text(&n.domain)
		}
		return nil
	})
}

func (a *onnxAttribute) decode(b []byte) error {
	return eachField(b, func(f field) error {
		switch f.number {
		case 1:
			return f.text(&a.name)
		case 2:
			var one []float32
			if err := f.floats(&one); err != nil || len(one) != 1 {
				return errWireType
			}
			a.f = one[0]
		case 3:
			return f.int64(&a.i)
		case 5:
			a.tensor = &onnxTensor{}
			return f.message("tensor", a.tensor.decode)
		}
		return nil
	})
}

func (t *onnxTensor) decode(b []byte) error {
	return eachField(b, func(f field) error {
		switch f.number {
		case 1:
			return f.int64s(&t.dims)
		case 2:
			return f.int32(&t.dataType)
		case 4:
			return f.floats(&t.floats)
		case 7:
			return f.int64s(&t.int64s)
		case 8:
			return f.text(&t.name)
		case 9:
			t.hasRaw, t.raw = true, f.bytes
		case 13:
			t.external = true
		case 14:
			var location int64
			if err := f.int64(&location); err != nil {
				return err
			}
			t.external = t.external || location != 0
		}
		return nil
	})
}

// decode reads a ValueInfoProto: name (1) and type (2), there tensor_type (1), there
// elem_type (1) and shape (2), there the dimensions (1).
func (v *onnxValue) decode(b []byte) error {
	return eachField(b, func(f field) error {
		switch f.number {
		case 1:
			return f.text(&v.name)
		case 2:
			return f.message("type", v.decodeType)
		}
		return nil
	})
}

func (v *onnxValue) decodeType(b []byte) error {
	return eachField(b, func(f field) error {
		if f.number != 1 {
			return nil
		}
		return f.message("tensor type", func(b []byte) error {
			return eachField(b, func(f field) error {
				switch f.number {
				case 1:
					return f.int32(&v.elemType)
				case 2:
					v.hasShape = true
					return f.message("shape", v.decodeShape)
				}
				return nil
			})
		})
	})
}

func (v *onnxValue) decodeShape(b []byte) error {
	return eachField(b, func(f field) error {
		if f.number != 1 {
			return nil
		}
		return f.message("dimension", func(b []byte) error {
			var d onnxDim
			err := eachField(b, func(f field) error {
				switch f.number {
				case 1:
					d.fixed = true
					return f.int64(&d.size)
				case 2:
					return f.text(&d.name)
				}
				return nil
			})
			v.dims = append(v.dims, d)
			return err
		})
	})
}
