package ui

import (
	"inkshade/app/ui/latency"
	"inkshade/app/ui/uitest"
)

// onLatency brings the Latency page to the front, and has it give readings.
func onLatency(s *testStage) *latency.Page {
	s.t.Helper()
	s.Open("latency")
	s.latency.Measure = uitest.MeasuredBy(nil)
	return s.latency
}
