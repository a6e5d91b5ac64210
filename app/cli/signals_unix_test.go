//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func inkFile(t *testing.T, each int) string {
	t.Helper()
	return file(t, "ink.jsonl", inkLines(each, 1, "0", "1", "7"))
}

func pipeNobodyWritesTo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInterruptEndsTheReadingOfAPipe(t *testing.T) {
	pipe, data, model := pipeNobodyWritesTo(t), inkFile(t, 5), filepath.Join(t.TempDir(), "m.onnx")
	for _, args := range []string{
		"eval " + pipe,
		"eval --model " + pipe + " " + data,
		"recognize " + pipe,
		"recognize --model " + pipe + " " + data,
		"import --data-dir " + t.TempDir() + " " + pipe,
		"train --out " + model + " --data " + pipe,
		"train --out " + model + " --start " + pipe + " --data " + data,
		"calibrate --out " + model + " --data " + pipe,
		"personal --ink " + pipe,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		ended := make(chan outcome, 1)
		go func() { ended <- commandIn(t, ctx, Window{}, strings.Fields(args)...) }()
		select {
		case got := <-ended:
			if got.status != statusFailed {
				t.Errorf("%s: exit status %d, %s", args, got.status, got.stderr)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: goes on after its interrupt", args)
		}
		cancel()
	}
}

func TestPipesAreRead(t *testing.T) {
	content, err := os.ReadFile(inkFile(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"eval", "import --data-dir " + t.TempDir()} {
		pipe := pipeNobodyWritesTo(t)
		go os.WriteFile(pipe, content, 0o600)
		command(t, append(strings.Fields(args), pipe)...).wantStatus(t, statusOK)
	}
}

// trainingVariable makes TestTrainingOfItsOwn the program, with these arguments.
const trainingVariable = "INKSHADE_TEST_TRAINING"

func TestTrainingOfItsOwn(t *testing.T) {
	if args := os.Getenv(trainingVariable); args != "" {
		os.Args = append([]string{"inkshade"}, strings.Fields(args)...)
		os.Exit(Execute(Window{}))
	}
}

// A terminal that is closed sends the signal more than once and no longer takes output.
func TestTrainingIsKeptWhenTheTerminalCloses(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.onnx")
	cmd := exec.Command(os.Args[0], "-test.run=^TestTrainingOfItsOwn$")
	cmd.Env = append(os.Environ(), trainingVariable+"=train --device cpu --hidden 8 --epochs 9999 --patience 0 --out "+out+" --data "+inkFile(t, 40))
	printed, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(printed); lines.Scan() && !strings.HasPrefix(lines.Text(), "epoch"); {
	}
	printed.Close()
	for range 3 {
		cmd.Process.Signal(syscall.SIGHUP)
		time.Sleep(20 * time.Millisecond)
	}
	cmd.Wait()
	command(t, "eval", "--model", out, inkFile(t, 5)).wantStatus(t, statusOK)
}

func TestAModelIsExportedIntoAPipe(t *testing.T) {
	pipe := pipeNobodyWritesTo(t)
	must(t, checkWritable(pipe))
	came := make(chan []byte)
	go func() {
		got, _ := os.ReadFile(pipe)
		came <- got
	}()
	command(t, "models", "export", "digits-mlp", pipe).wantStatus(t, statusOK)
	if got := <-came; len(got) == 0 {
		t.Error("nothing came through the pipe")
	}
}

// Lines of a picture are printed before the next file is read, which may take long, and an interrupt leaves them.
func TestLinesArePrintedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seven := picture(t, "seven.png", "7")
	var stderr bytes.Buffer
	stdout := &watcher{sign: "seven.png", act: cancel}
	args := []string{"recognize", "--line", "--language", "digits", "--device", "cpu", seven, pipeNobodyWritesTo(t)}
	if status := run(ctx, Window{}, args, stdout, &stderr); status != statusFailed || stderr.String() != "inkshade: stopped on request\n" {
		t.Errorf("exit status %d, said %q", status, stderr.String())
	}
}
