package line

// Distance is the edit distance of two texts: how many characters must be put in, taken out or changed to make one of
// the other (Levenshtein 1966).
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	costs := make([]int, len(to)+1)
	for j := range costs {
		costs[j] = j
	}
	for i, c := range from {
		diagonal := costs[0]
		costs[0] = i + 1
		for j, d := range to {
			change := diagonal
			if c != d {
				change++
			}
			diagonal = costs[j+1]
			costs[j+1] = min(change, costs[j]+1, costs[j+1]+1)
		}
	}
	return costs[len(to)]
}
