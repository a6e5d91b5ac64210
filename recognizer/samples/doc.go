// Package samples keeps what the user wrote and what was learned from it: labelled ink, and every model trained from it,
// in one SQLite database in the user's data folder.
//
// # Promises
//
//   - A sample is on disk when Add returns: each change is one transaction, committed to the write-ahead log with
//     synchronous=FULL before the method returns. A killed process loses nothing that was reported saved.
//   - Two running instances may use one folder: SQLite's locks order their writes, and each waits up to ten seconds for the other.
//   - A damaged database is renamed, never overwritten; what can still be read from it is copied into a fresh one, and
//     Recovered says where the damaged file lies.
//   - A database of a newer version, or one that is not ours, is left alone.
//   - A full disk, a folder without permission: an error that says so, and the state before it stays.
//
// # Files
//
// samples.db is the database; samples.db-wal and samples.db-shm belong to it while it is open. samples.lock is held shared by
// every open Store and exclusively by one that repairs; samples.opening.lock orders those that are opening. The locks are
// released by the operating system when a process dies.
package samples
