//go:build linux && !race

package server_test

import "testing"

type fakeStore map[string]string

func (f fakeStore) Get(id string) (string, error) { return f[id], nil }

func TestServer(t *testing.T) {
	tests := []struct {
		name string
		want int
	}{
		{name: "one", want: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {})
	}

	t.Run("closes twice", func(t *testing.T) {
		t.Parallel()
	})
}

func BenchmarkMap(b *testing.B) {
	for b.Loop() {
	}
}

func ExampleNew() {
	// Output:
}
