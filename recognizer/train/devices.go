package train

import (
	"context"
	"fmt"
	"time"

	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
)

// sharingBudget is about the time that finding out whether devices should share may take,
// beside compiling.
const sharingBudget = 3 * time.Second

// newSteps compiles the steps for the device, or for two where sharing wins.
func (s *session) newSteps(ctx context.Context) (err error) {
	devices := []program.Device{s.dev}
	if s.cfg.Beside != nil {
		devices = append(devices, s.cfg.Beside)
	}
	sharing := &s.result.Sharing
	if s.steps, *sharing, err = nn.Share(ctx, s.descent, devices, s.cfg.Split, sharingBudget); err != nil {
		return err
	}
	s.dev = devices[sharing.Owner()]
	s.fallback = s.dev.Info().Fallback
	if s.cfg.Beside != nil {
		s.say(sharing.String())
		s.result.Split = sharing.Split()
	}
	return nil
}

// descend makes a step and notices a device that is lost.
func (s *session) descend(b nn.Batch) error {
	if err := s.steps.Step(b); err != nil {
		return fmt.Errorf("a training step on the %s device: %w", s.dev.Info().Kind, err)
	}
	if why := s.dev.Info().Fallback; why != s.fallback {
		s.fallback = why
		s.say(fmt.Sprintf("the CPU goes on from the state at the end of the last epoch: %s", why))
	}
	mixed, ok := s.steps.(*nn.MixedTraining)
	if !ok || !s.result.Sharing.Shared() {
		return nil
	}
	if err := mixed.Lost(); err == nil {
		s.result.SharedSteps++
	} else if err := s.result.Sharing.Survive(err, s.cfg.Batch); err != nil {
		return err
	} else {
		s.say(s.result.Sharing.String())
	}
	return nil
}

func (s *session) say(sentence string) {
	if s.cfg.Tell != nil {
		s.cfg.Tell(sentence)
	}
}

// device describes what did the last step.
func (s *session) device() program.Info {
	if s.result.Sharing.Shared() {
		return s.result.Sharing.Info()
	}
	if steps, ok := s.steps.(*nn.Steps); ok {
		return steps.Run().Info()
	}
	return s.dev.Info()
}

// safeguard brings the state to the host, from where the processor goes on should the
// device be lost.
func (s *session) safeguard() error {
	if s.average != nil {
		if err := s.average.params.Download(s.dev); err != nil {
			return err
		}
	}
	return s.descent.Download(s.dev)
}
