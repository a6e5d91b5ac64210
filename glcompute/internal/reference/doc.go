// Package reference defines every operation of glcompute by nested loops over float64:
// slow, plain, and the truth that the executors are tested against. It imports only math.
// Matrices are row-major; shapes stand in each comment.
package reference
