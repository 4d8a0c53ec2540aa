import HTTPMessages
import ReceiptModels

/// A question to a directory of accounts: the account with these identifiers, of which one may be missing.
struct AccountQuestion: Hashable, Sendable {
  let primaryID: AccountID?
  let secondID: AccountID?

  /// Creates a question; nil without any identifier.
  init?(primaryID: AccountID?, secondID: AccountID?) {
    guard primaryID != nil || secondID != nil else { return nil }
    self.primaryID = primaryID
    self.secondID = secondID
  }

  /// Creates a question about an account of the host's own identifier.
  init(primaryID: AccountID) {
    self.primaryID = primaryID
    secondID = nil
  }

  /// Returns the URL that asks the question, of a directory whose URL has no query.
  func url(at directory: String) -> String {
    let items = [("id", primaryID), ("unionId", secondID)].compactMap { name, id in
      id.map { "\(name)=\($0.rawValue.percentEncoded)" }
    }
    return "\(directory)?\(items.joined(separator: "&"))"
  }
}
