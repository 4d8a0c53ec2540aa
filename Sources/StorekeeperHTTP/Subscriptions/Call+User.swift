internal import HTTPMessages
internal import ReceiptModels
internal import ReceiptVerifier

extension HTTPHeaderName {
  static let ftcID: HTTPHeaderName = "X-Ftc-Id"
  static let userID: HTTPHeaderName = "X-User-Id"
  static let unionID: HTTPHeaderName = "X-Union-Id"
}

/// The user whom the header fields of a request name.
struct HeaderUser: Hashable, Sendable {
  var primaryID: String?
  var secondID: String?
}

extension SubscriptionCall {
  var contract: SubscriptionContract { match.place.contract }
  /// Apple's server that the mount asks first.
  var server: VerifyReceiptServer { match.place.server }
  var primaryID: String? { user?.primaryID }
  var secondID: String? { user?.secondID }

  /// Reads the user from the header fields of the contract.
  ///
  /// The current contract uses `X-Ftc-Id`, or else `X-User-Id`; the older one uses `X-User-Id`,
  /// `X-Union-Id`, or both.
  ///
  /// - Throws: ``RequestRefusal/ambiguousUser`` if a header field appears twice.
  mutating func readUser() throws(RequestRefusal) {
    var found = HeaderUser()
    switch contract {
    case .current:
      found.primaryID = try header(.ftcID)
      if found.primaryID == nil { found.primaryID = try header(.userID) }
    case .legacy:
      found.primaryID = try header(.userID)
      found.secondID = try header(.unionID)
    }
    user = found
  }

  /// Checks that a header field names the user.
  ///
  /// - Throws: ``RequestRefusal/userMissing`` otherwise.
  func requireUser() throws(RequestRefusal) {
    guard primaryID != nil || secondID != nil else { throw .userMissing }
  }

  /// Returns the value of a header field, or nil if it is missing or blank.
  private func header(_ name: HTTPHeaderName) throws(RequestRefusal) -> String? {
    let values = request.headers.values(for: name).filter { !$0.isBlank }
    guard values.count <= 1 else { throw .ambiguousUser }
    return values.first
  }
}
