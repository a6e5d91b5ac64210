package program

// Kept are a device's copies of parameters, each in memory M.
type Kept[M any] struct {
	do     func(f func() error) error // f where the device works, with its error or that of the device
	memory Memory[M]
	copies map[*Parameter]*kept[M]
}

// Memory is how a device holds values. What fails there panics, which do knows to make an error of.
type Memory[M any] struct {
	New         func(par *Parameter) M // with the values of Data
	Free        func(m M)
	Write, Read func(m M, values []float32)
}

type kept[M any] struct {
	memory M
	runs   int // open runs that use it
}

// NewKept keeps nothing yet.
func NewKept[M any](do func(f func() error) error, memory Memory[M]) *Kept[M] {
	return &Kept[M]{do, memory, map[*Parameter]*kept[M]{}}
}

// Use counts one more run on a parameter and brings it onto the device the first time. It is called where the device works,
// as are Leave and Clear.
func (k *Kept[M]) Use(par *Parameter) (M, error) {
	q, ok := k.copies[par]
	if !ok {
		if err := par.Check(); err != nil {
			return *new(M), err
		}
		q = &kept[M]{memory: k.memory.New(par)}
		k.copies[par] = q
	}
	q.runs++
	return q.memory, nil
}

// Leave takes one run off parameters.
func (k *Kept[M]) Leave(params []*Parameter) {
	for _, par := range params {
		k.copies[par].runs--
	}
}

// Clear frees everything.
func (k *Kept[M]) Clear() {
	for _, q := range k.copies {
		k.memory.Free(q.memory)
	}
	clear(k.copies)
}

// Upload, Download and Forget are those of Device.
func (k *Kept[M]) Upload(par *Parameter) error   { return k.Store(par, par.Data) }
func (k *Kept[M]) Download(par *Parameter) error { return k.Fetch(par, par.Data) }

// Store and Fetch are Upload and Download with values of the caller's in the place of Data.
func (k *Kept[M]) Store(par *Parameter, from []float32) error {
	return k.exchange(par, from, k.memory.Write)
}

func (k *Kept[M]) Fetch(par *Parameter, into []float32) error {
	return k.exchange(par, into, k.memory.Read)
}

func (k *Kept[M]) exchange(par *Parameter, values []float32, transfer func(M, []float32)) error {
	return k.do(func() error {
		q, ok := k.copies[par]
		if !ok {
			return par.Absent()
		}
		if err := par.Check(); err != nil {
			return err
		}
		transfer(q.memory, values)
		return nil
	})
}

func (k *Kept[M]) Forget(par *Parameter) {
	_ = k.do(func() error { // on a closed or lost device there is nothing left to free
		if q, ok := k.copies[par]; ok && q.runs == 0 {
			k.memory.Free(q.memory)
			delete(k.copies, par)
		}
		return nil
	})
}
