internal import HTTPMessages
internal import JSONValues
internal import StorekeeperLocks

extension PlayStoreSimulator {
  /// Signs pushes with another key from now on; the key before stays published until the next rotation.
  ///
  /// Without a key, it is a new one.
  public func rotatePushKey(to key: TestPushKey? = nil) throws {
    let key = try key ?? TestPushKey()
    state.withLock { $0.pushKeys.rotate(to: key) }
  }

  /// The identifiers of the published keys, oldest first.
  public var publishedPushKeyIDs: [String] {
    state.withLock { $0.pushKeys.published.map(\.keyID) }
  }

  /// The answer with the keys, which clients keep as long as it says.
  var certificates: HTTPResponseMessage {
    let published = state.withLock { $0.pushKeys.published }
    guard let keys = try? published.map({ try $0.webKey }) else {
      return GoogleAPIError(.internalServerError, "backendError", "The keys cannot be written")
        .response
    }
    var response = HTTPResponseMessage.google(["keys": .array(keys)])
    // The value has no control characters.
    try? response.headers.set(
      "public, max-age=\(Self.keyLifetime), must-revalidate, no-transform", for: .cacheControl)
    return response
  }

  /// The seconds for which clients may keep the keys.
  static let keyLifetime = 19_845
}
