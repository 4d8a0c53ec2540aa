internal import HTTPMessages
internal import ReceiptModels

extension HTTPHeaderName {
  static let ftcID: HTTPHeaderName = "X-Ftc-Id"
  static let userID: HTTPHeaderName = "X-User-Id"
  static let unionID: HTTPHeaderName = "X-Union-Id"
}

extension Call {
  /// Reads the user from the header fields of the contract.
  ///
  /// The current contract has `X-Ftc-Id`, or else `X-User-Id`; the older one `X-User-Id`, `X-Union-Id`,
  /// or both (linking rules, sections 4.3 and 6.3).
  ///
  /// - Throws: ``RequestRefusal/ambiguousUser`` if a header field appears twice.
  mutating func readUser() throws(RequestRefusal) {
    switch contract {
    case .current:
      primaryID = try header(.ftcID)
      if primaryID == nil { primaryID = try header(.userID) }
    case .legacy:
      primaryID = try header(.userID)
      secondID = try header(.unionID)
    }
  }

  /// - Throws: ``RequestRefusal/userMissing`` if nobody is named.
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
