package ui

import (
	"fyne.io/fyne/v2/test"

	"inkshade/app/ui/language"
	"inkshade/app/ui/latency"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
)

// onLatency brings the details of the Latency page to the front, and has it give readings.
func onLatency(s *testStage) *latency.Page {
	s.t.Helper()
	s.Open("latency")
	s.latency.Measure = uitest.MeasuredBy(nil)
	for _, o := range test.LaidOutObjects(s.InFront().Content) {
		if views, ok := o.(*widget.Segments); ok && views.Visible() && views.Names[len(views.Names)-1].Text == language.Tr("Details") {
			views.Change(1)
		}
	}
	return s.latency
}
