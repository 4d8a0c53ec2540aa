public import HTTPMessages

/// A handler's verdict on the head of a request, before any of its body is kept.
public enum HeadVerdict: Sendable {
  /// The answer is known; the body is dropped.
  case answer(HTTPResponseMessage)
  case admit(Admission)
}

/// The handling of a request whose body is wanted; one of the two closures is called, once.
public struct Admission: Sendable {
  /// Whether the client is authenticated, as by a token; the bodies of anonymous clients get less
  /// memory.
  public var isKnown: Bool
  /// The number of bytes of the body that are kept at most.
  public var bodyLimit: Int
  /// Answers the request, given the kept part of its body.
  public var respond: @Sendable ([UInt8]) async -> HTTPResponseMessage
  /// Answers the request if there is no memory for its body.
  public var refuse: @Sendable () -> HTTPResponseMessage

  /// Creates an admission; the default refusal is 503.
  public init(
    isKnown: Bool, bodyLimit: Int = .max,
    respond: @escaping @Sendable ([UInt8]) async -> HTTPResponseMessage,
    refuse: (@Sendable () -> HTTPResponseMessage)? = nil
  ) {
    self.isKnown = isKnown
    self.bodyLimit = bodyLimit
    self.respond = respond
    self.refuse = refuse ?? { .unavailable }
  }
}
