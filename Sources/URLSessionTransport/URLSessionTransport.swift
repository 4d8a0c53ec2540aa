// The default adapter of HTTPTransport, on URLSession.
