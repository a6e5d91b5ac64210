// Package onnxpb holds the messages of an ONNX file, generated from onnx.proto by protoc 3.21
// and the protoc-gen-go of go.mod's version of google.golang.org/protobuf.
package onnxpb

//go:generate go build -o ../../../../../.build/protoc-gen-go google.golang.org/protobuf/cmd/protoc-gen-go
//go:generate protoc --plugin=../../../../../.build/protoc-gen-go --go_out=. --go_opt=paths=source_relative onnx.proto
//go:generate go run mvdan.cc/gofumpt@v0.12.0 -w onnx.pb.go
