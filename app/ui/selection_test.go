package ui

import (
	"slices"
	"testing"
)

func TestSelectionByPointerAndKeys(t *testing.T) {
	order := []int64{10, 11, 12, 13, 14, 15}
	s := newSelection()
	want := func(what string, ids ...int64) {
		t.Helper()
		if got := s.list(order); !slices.Equal(got, ids) {
			t.Errorf("%s: %v, want %v", what, got, ids)
		}
	}
	s.click(order, 2, false, false)
	want("click", 12)
	s.click(order, 4, false, true)
	want("Shift extends", 12, 13, 14)
	s.click(order, 1, false, true)
	want("Shift extends from the same place", 11, 12)
	s.click(order, 5, true, false)
	want("Ctrl adds", 11, 12, 15)
	s.click(order, 11-10, true, false)
	want("Ctrl takes away", 12, 15)
	s.click(order, 3, true, true)
	want("Ctrl and Shift add a span", 11, 12, 13, 15)
	s.click(order, 9, false, false)
	want("a click beside", 11, 12, 13, 15)
	s.all(order)
	want("all", order...)
	s.none()
	s.move(order, 1, false)
	want("the first key shows the place", 13)
	s.move(order, 1, false)
	want("a step", 14)
	s.move(order, 9, true)
	want("far, extending", 14, 15)
	s.move(order, -99, false)
	want("home", 10)
	s.keep([]int64{11, 12})
	if len(s.ids) != 0 || s.cursor > 1 {
		t.Errorf("after the sample is gone: %+v", s)
	}
	s.move(nil, 1, false)
	s.keep(nil)
}
