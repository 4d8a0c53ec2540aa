public import HTTPMessages

/// What a handler says of a request by its head, before anything of its body is kept.
public enum HeadVerdict: Sendable {
  /// The answer is known; what comes of a body is dropped.
  case answer(HTTPResponse)
  /// The body is wanted.
  case admit(Admission)
}

/// How a request goes on whose body is wanted; one of the two calls is made, once.
public struct Admission: Sendable {
  /// Whether the client is known, as by a token; the bodies of strangers have less room.
  public var isKnown: Bool
  /// How many bytes of the body are kept at most.
  public var bodyLimit: Int
  /// Answers, given the body, or what was kept of it.
  public var respond: @Sendable ([UInt8]) async -> HTTPResponse
  /// Answers where there is no room for the body.
  public var refuse: @Sendable () -> HTTPResponse

  /// An admission; a refusal is 503 unless told otherwise.
  public init(
    isKnown: Bool, bodyLimit: Int = .max,
    respond: @escaping @Sendable ([UInt8]) async -> HTTPResponse,
    refuse: (@Sendable () -> HTTPResponse)? = nil
  ) {
    self.isKnown = isKnown
    self.bodyLimit = bodyLimit
    self.respond = respond
    self.refuse = refuse ?? { .unavailable }
  }
}
