import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

/// A row of a table of attacks: a forged token and the expected reason.
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

  /// Creates an attack with a header and a valid signature.
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
