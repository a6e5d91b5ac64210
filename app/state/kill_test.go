package state

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

const childVariable = "INKSHADE_TRAINER_CHILD"

// TestMain is also the program that the kill test kills: it trains over and over in the
// folder named, and says what it does.
func TestMain(m *testing.M) {
	dir := os.Getenv(childVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	t := &testing.T{}
	f := &fixture{t: t, dir: dir, fake: &fakeLearn{keep: true}}
	f.start()
	for {
		f.fake.during = func(context.Context) error {
			fmt.Println("learning")
			time.Sleep(time.Millisecond)
			return nil
		}
		e, err := f.Train(context.Background(), base, DefaultOptions(), nil)
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println("kept", e.ID)
	}
}

// child starts the program above on the folder and gives its first line and the rest.
func (f *fixture) child() (cmd *exec.Cmd, first string, rest *bufio.Scanner) {
	f.t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+f.dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	rest = bufio.NewScanner(out)
	if !rest.Scan() {
		f.t.Fatal("the child said nothing")
	}
	return cmd, rest.Text(), rest
}

// pace is how long a training of the child takes on this machine, and the model it gave.
func (f *fixture) pace() (time.Duration, int64) {
	f.t.Helper()
	cmd, _, lines := f.child()
	start, kept := time.Now(), int64(0)
	for kept == 0 && lines.Scan() {
		_, _ = fmt.Sscanf(lines.Text(), "kept %d", &kept)
	}
	took := time.Since(start)
	_ = cmd.Process.Kill()
	for lines.Scan() {
		_, _ = fmt.Sscanf(lines.Text(), "kept %d", &kept)
	}
	_ = cmd.Wait()
	return took, kept
}

// A process that trains is killed again and again, anywhere in its first three trainings:
// in force is what it said last, or the model that it was just storing, whole.
func TestKilledTrainingsLeaveAWholeModelActive(t *testing.T) {
	f := learning(t, 9)
	f.Close()
	kills := 25
	if testing.Short() {
		kills = 5
	}
	took, last := f.pace()
	duringLearning := 0
	// A machine that is busier than when the pace was taken gets more of them.
	little := func() bool { return last < int64(kills)/5 || duringLearning == 0 }
	for n := 0; n < kills || n < 4*kills && little(); n++ {
		child, first, lines := f.child()
		said := []string{first}
		after, before := 3*took*time.Duration(n%kills)/time.Duration(kills), last
		time.AfterFunc(after, func() { _ = child.Process.Kill() })
		for lines.Scan() {
			said = append(said, lines.Text())
		}
		_ = child.Wait()
		for _, line := range said {
			if strings.HasPrefix(line, "error") {
				t.Fatal(line)
			}
			_, _ = fmt.Sscanf(line, "kept %d", &last)
		}
		if said[len(said)-1] == "learning" {
			duringLearning++
		}
		if after > took && last == before { // the machine has other work by now
			took += took / 2
		}
		f.start()
		_, id, err := f.ActiveModel(base, nil)
		if err != nil || id != last && id != last+1 {
			t.Fatalf("kill %d: model %d is in force (%v); the child said %d last", n, id, err, last)
		}
		last = id
		if _, err := f.History(base); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if little() {
		t.Errorf("%d models came of it and %d kills fell into a training: the kills prove little", last, duringLearning)
	}
}
