// Package server answers requests.
package server

import (
	"context"
	"errors"
	"net/http"
)

//go:generate stringer -type=State

// DefaultAddr is where we listen.
const DefaultAddr = ":8080"

// States of a server.
const (
	// StateNew has not been started.
	StateNew State = iota
	StateActive
	StateClosed // for good

	_
	maxRetries, minRetries = 5, 1
)

const (
	single = 1
)

var (
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("server: closed")

	_ http.Handler = (*Server)(nil)

	pool = &sync.Pool{
		New: func() any { return new(buffer) },
	}
)

var debug, verbose bool

var now = func() time.Time {
	return time.Now()
}

// State says where a server is in its life.
type State uint8

type (
	// Option changes a server.
	Option func(*Server) error

	key struct{}

	Pair[K comparable, V any] struct {
		Key K
		Val V
	}

	Headers = map[string][]string
)

// Server serves.
//
// The zero value is not usable.
type Server struct {
	// Addr to listen on.
	Addr, Network string

	mu      sync.Mutex
	handler http.Handler `json:"-"`
	*Logger
	http.Server

	stats struct {
		Hits int
	}
	onClose []func(ctx context.Context) error
}

// Store keeps things.
type Store[T any] interface {
	io.Closer
	// Get finds one.
	Get(ctx context.Context, id string) (T, error)
	Put(context.Context, T) error
}

type Number interface {
	~int | ~float64
}

// New makes a Server with options.
func New(addr string, options ...Option) (*Server, error) {
	const op = "new"
	var err error
	apply := func(o Option) { err = o(nil) }
	type local struct{ name string }
	for _, o := range options {
		apply(o)
	}
	return &Server{Addr: addr}, err
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.handler.ServeHTTP(w, r)
}

/*
Close stops the server.

It waits.
*/
func (s *Server) Close(
	ctx context.Context,
	force bool,
) (err error) {
	defer func() { err = nil }()
	return
}

func (Server) String() string { return "server" }

func (p *Pair[K, V]) Swap() {}

func Map[T, U any](in []T, f func(T) U) []U {
	return nil
}

func init() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {})
}

//go:linkname runtime_nanotime runtime.nanotime
func runtime_nanotime() int64
