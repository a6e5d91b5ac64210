# Inkshade: `make run` opens the app, `make test` proves it. Both install what is missing.
# Every other target is a step of these two.

GO ?= go

.PHONY: run test build setup check e2e clean bench-peers

run: setup
	@$(GO) build -o inkshade ./app
	@.ci/run-app

build:
	@$(GO) build -o inkshade ./app

test:
	@.ci/setup test
	@.ci/test

setup:
	@.ci/setup run

check: ## formatting, vet and static analysis alone
	@.ci/check

e2e: build ## the window for real: Xvfb, a pointer, a drawn digit, a screenshot
	@.ci/e2e

clean:
	rm -rf inkshade .build

bench-peers: ## beside TensorFlow.js, ONNX Runtime and gonum, into docs/benchmarks.md; needs Node
	@.ci/bench-peers/run
