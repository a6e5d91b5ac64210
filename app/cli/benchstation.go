package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/recognizer/bench"
)

// stationRequest is a line on standard input.
type stationRequest struct {
	Do         string           `json:"do"` // "prepare" an experiment at a size, or take a "turn" of some milliseconds
	Experiment bench.Experiment `json:"experiment"`
	Size       int              `json:"size"`
	Millis     float64          `json:"ms"`
}

// stationReply is the line on standard output that answers.
type stationReply struct {
	Name  string    `json:"name,omitempty"`     // of what computes; the first line, which nothing asked for
	Proof []float32 `json:"proof,omitempty"`    // the first values of the result
	Times []float64 `json:"times_us,omitempty"` // of each replay
	Error string    `json:"error,omitempty"`
}

// newBenchStation lets another program direct the measurements of one device, or of gonum's
// products, in turns with those of others; see .ci/bench-peers.
func newBenchStation() *cobra.Command {
	var device deviceFlag
	var inputs string
	var gonum bool
	cmd := &cobra.Command{
		Use:    "bench-station",
		Short:  "Measure one device as lines of JSON on standard input ask for",
		Hidden: true,
		Args:   usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if inputs != "" {
				sizes := bench.Recognition.Sizes(false)
				return bench.WriteInputs(inputs, sizes[len(sizes)-1], bench.Product.Sizes(true))
			}
			switch {
			case gonum && cmd.Flags().Changed("device"):
				return usageError{errors.New("--gonum is measured instead of a --device")}
			case gonum:
				return serveStation(cmd.InOrStdin(), cmd.OutOrStdout(), bench.GonumVersion(), bench.NewGonumStation())
			}
			dev, err := glcompute.Open(device.kind)
			if err != nil {
				return err
			}
			defer dev.Close()
			name := dev.Info().Name + ", " + dev.Info().Version
			return serveStation(cmd.InOrStdin(), cmd.OutOrStdout(), name, bench.NewStation(dev))
		},
	}
	device.bind(cmd)
	cmd.Flags().BoolVar(&gonum, "gonum", false, "measure the products of gonum's own BLAS instead of a device")
	cmd.Flags().StringVar(&inputs, "inputs", "", "only write into this folder what is computed with")
	return cmd
}

// serveStation answers line by line until the input ends, and closes the station.
func serveStation(in io.Reader, out io.Writer, name string, station *bench.Station) error {
	defer station.Close()
	lines := bufio.NewScanner(in)
	replies := json.NewEncoder(out)
	if err := replies.Encode(stationReply{Name: name}); err != nil {
		return err
	}
	for lines.Scan() {
		reply, err := answerStation(station, lines.Bytes())
		if err != nil {
			reply.Error = err.Error()
		}
		if err := replies.Encode(reply); err != nil {
			return err
		}
	}
	return lines.Err()
}

func answerStation(station *bench.Station, line []byte) (reply stationReply, err error) {
	var q stationRequest
	if err := json.Unmarshal(line, &q); err != nil {
		return reply, err
	}
	switch q.Do {
	case "prepare":
		if q.Size < 1 || len(q.Experiment.Sizes(true)) == 0 || q.Experiment == bench.OneDrawing {
			return reply, fmt.Errorf("there is no experiment %q of size %d", q.Experiment, q.Size)
		}
		reply.Proof, err = station.Prepare(q.Experiment, q.Size)
	case "turn":
		var times []time.Duration
		times, err = station.Turn(time.Duration(q.Millis * float64(time.Millisecond)))
		for _, t := range times {
			reply.Times = append(reply.Times, float64(t)/float64(time.Microsecond))
		}
	default:
		err = errors.New(`"do" must be prepare or turn`)
	}
	return reply, err
}
