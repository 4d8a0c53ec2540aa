import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

/// A row of a table of attacks: how the token is made, and the reason for which it has to be refused.
struct Attack: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var reason: SignedDataFailure
  var token: @Sendable (TestAuthority) throws -> String

  init(
    _ description: String, _ reason: SignedDataFailure,
    token: @escaping @Sendable (TestAuthority) throws -> String
  ) {
    testDescription = description
    self.reason = reason
    self.token = token
  }

  /// An attack by a header, signed as it should be.
  init(
    _ description: String, _ reason: SignedDataFailure,
    header change: @escaping @Sendable (TestAuthority, inout [String: JSONValue]) throws -> Void
  ) {
    self.init(description, reason) { authority in
      var header = authority.header
      try change(authority, &header)
      return try authority.sign(Sample.transaction().serialized, header: header)
    }
  }
}
