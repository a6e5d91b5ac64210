package line

// Difference is a run of a text that was read as another, either of which may be empty.
type Difference[T comparable] struct{ Want, Got []T }

// Errors is how many members must be put in, taken out or changed.
func (d Difference[T]) Errors() int { return max(len(d.Want), len(d.Got)) }

// Differences aligns what was read with what was written, by the edit distance (Levenshtein 1966), and lists the runs that
// differ; the distance is the sum of their errors.
func Differences[T comparable](want, got []T) []Difference[T] {
	// costs[i][j] is the distance of want[i:] and got[j:].
	costs := make([][]int, len(want)+1)
	for i := len(want); i >= 0; i-- {
		costs[i] = make([]int, len(got)+1)
		for j := len(got); j >= 0; j-- {
			switch {
			case i == len(want):
				costs[i][j] = len(got) - j
			case j == len(got):
				costs[i][j] = len(want) - i
			case want[i] == got[j]:
				costs[i][j] = costs[i+1][j+1]
			default:
				costs[i][j] = 1 + min(costs[i+1][j+1], costs[i+1][j], costs[i][j+1])
			}
		}
	}
	var runs []Difference[T]
	for i, j := 0, 0; i < len(want) || j < len(got); {
		if i < len(want) && j < len(got) && want[i] == got[j] {
			i, j = i+1, j+1
			continue
		}
		fromI, fromJ := i, j
		for (i < len(want) || j < len(got)) && !(i < len(want) && j < len(got) && want[i] == got[j]) {
			switch {
			case i < len(want) && j < len(got) && costs[i][j] == 1+costs[i+1][j+1]:
				i, j = i+1, j+1
			case i < len(want) && costs[i][j] == 1+costs[i+1][j]:
				i++
			default:
				j++
			}
		}
		runs = append(runs, Difference[T]{want[fromI:i], got[fromJ:j]})
	}
	return runs
}
