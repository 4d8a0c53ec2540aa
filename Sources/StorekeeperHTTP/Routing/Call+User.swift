internal import HTTPMessages
internal import LinkPolicy
internal import ReceiptModels
internal import Storekeeper

extension HTTPHeaderName {
  static let ftcID: HTTPHeaderName = "X-Ftc-Id"
  static let userID: HTTPHeaderName = "X-User-Id"
  static let unionID: HTTPHeaderName = "X-Union-Id"
}

extension Call {
  /// Reads who the user is, as the contract has it.
  ///
  /// The current one names the account in `X-Ftc-Id`, or else in `X-User-Id`; that of 2019 in
  /// `X-User-Id`, `X-Union-Id`, or both (contract on linking, sections 4.3 and 6.3).
  ///
  /// - Throws: ``RequestRefusal/ambiguousUser`` where a header field is there twice.
  mutating func readUser() throws(RequestRefusal) {
    switch contract {
    case .current:
      ftcID = try header(.ftcID)
      if ftcID == nil { ftcID = try header(.userID) }
    case .year2019:
      ftcID = try header(.userID)
      unionID = try header(.unionID)
    }
  }

  /// - Throws: `SubscriptionFailure.userMissing` where nobody is named.
  func requireUser() throws {
    guard ftcID != nil || unionID != nil else { throw SubscriptionFailure.userMissing }
  }

  /// The value of a header field, or nil where it is missing or blank.
  private func header(_ name: HTTPHeaderName) throws(RequestRefusal) -> String? {
    let values = request.headers.values(for: name).filter { !$0.isBlank }
    guard values.count <= 1 else { throw .ambiguousUser }
    return values.first
  }
}
