// An empty program, to measure the start of Node alone.
