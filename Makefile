# Inkshade: `make run` opens the app, `make test` proves it. Both install what is missing.
# Every other target is a step of these two.

.PHONY: run test build setup check e2e clean bench-peers package package-windows test-packages test-drivers torture race

run: setup
	@.ci/build
	@.ci/run-app

build:
	@.ci/build

test:
	@.ci/setup test
	@.ci/test

setup:
	@.ci/setup run

check: ## formatting, vet and static analysis alone
	@.ci/check

e2e: build ## the window for real: Xvfb, a pointer, a drawn digit, a screenshot
	@.ci/e2e

package: ## a .deb and a .tar.gz for Linux, in .build/packages
	@.ci/setup run
	@.ci/package/linux

package-windows: ## a .zip for Windows, built with mingw-w64
	@.ci/setup windows
	@.ci/package/windows

test-packages: package package-windows ## installs them into a bare Debian 12, runs them under Wine; needs root
	@.ci/setup packages
	@.ci/package/test-same-bytes
	@.ci/package/test-debian
	@.ci/package/test-wine

test-drivers: ## the suites on Zink, virgl and softpipe (docs/drivers.md); needs packages of Debian, and an hour
	@.ci/setup drivers
	@.ci/test-drivers

torture: ## most of the table of docs/reliability.md again, with counts that take ten minutes
	@.ci/setup run
	@.ci/torture

race: ## every test of recognizer and app with the race detector; longer than make test
	@.ci/setup run
	@.ci/race

clean:
	rm -rf inkshade .build

bench-peers: ## beside TensorFlow.js, ONNX Runtime and gonum, into docs/benchmarks.md; needs Node
	@.ci/bench-peers/run
