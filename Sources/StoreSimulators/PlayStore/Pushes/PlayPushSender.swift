internal import JSONValues

/// The sender of a push, or a sender that pretends to be Pub/Sub.
public enum PlayPushSender: String, Hashable, Sendable, CaseIterable {
  /// Google's Pub/Sub, with a good bearer token.
  case pubSub
  /// Another customer of Google, whose token is signed by Google for our audience, with another e-mail
  /// address.
  case stranger
  /// The right e-mail address, which Google has not verified.
  case unverifiedEmail
  /// A good token for another audience.
  case otherAudience
  /// A token that was good an hour ago.
  case expired
  /// A token that is dated an hour ahead.
  case fromTheFuture
  /// A token of another issuer.
  case otherIssuer
  /// A token that somebody altered after it was signed.
  case altered
  /// A token that a key of somebody else signed.
  case unknownKey
  /// A token without a signature, with the algorithm `none`.
  case unsigned
  /// No token.
  case nobody

  /// Changes the claims of a good token.
  func change(_ claims: inout [String: JSONValue], issued: Int) {
    switch self {
    case .stranger:
      claims["email"] = .string("someone@another-project.iam.gserviceaccount.com")
      claims["sub"] = .string("200000000000000000000")
    case .unverifiedEmail: claims["email_verified"] = .boolean(false)
    case .otherAudience: claims["aud"] = .string("https://other.example.com/webhook")
    case .expired:
      claims["iat"] = .integer(issued - 7200)
      claims["exp"] = .integer(issued - 3600)
    case .fromTheFuture:
      claims["iat"] = .integer(issued + 3600)
      claims["exp"] = .integer(issued + 7200)
    case .otherIssuer: claims["iss"] = .string("https://issuer.example.com")
    case .pubSub, .altered, .unknownKey, .unsigned, .nobody: break
    }
  }
}
