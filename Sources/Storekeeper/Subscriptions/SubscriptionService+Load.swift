public import PurchaseStorage
public import ReceiptModels

extension SubscriptionService {
  /// A stored subscription.
  ///
  /// Who owns it is not checked.
  ///
  /// - Parameter originalTransactionID: Its original transaction id.
  /// - Returns: The subscription as stored.
  /// - Throws: ``SubscriptionFailure/invalidTransactionID``,
  ///   ``SubscriptionFailure/subscriptionNotFound``, or what the store throws.
  public func subscription(_ originalTransactionID: String) async throws -> Subscription {
    let id = try checked(originalTransactionID)
    let stored = try await store.read { records in try await records.subscriptions.find([id]) }
    guard let stored = stored.first else { throw SubscriptionFailure.subscriptionNotFound }
    return stored.subscription
  }

  /// A stored subscription with its receipt, Apple's `latest_receipt` in base64.
  ///
  /// - Parameters:
  ///   - originalTransactionID: The original transaction id.
  ///   - onlyFirstCache: Whether all but the first cache is left out, as for the contract's `fs=true`,
  ///     which means the disk.
  /// - Returns: Both.
  /// - Throws: ``SubscriptionFailure/invalidTransactionID``,
  ///   ``SubscriptionFailure/subscriptionNotFound``, ``SubscriptionFailure/receiptNotFound``, or what
  ///   the store throws.
  public func subscriptionWithReceipt(
    _ originalTransactionID: String, onlyFirstCache: Bool = false
  ) async throws -> (subscription: Subscription, receipt: StoredReceipt) {
    let subscription = try await subscription(originalTransactionID)
    return (subscription, try await storedReceipt(of: subscription, onlyFirstCache: onlyFirstCache))
  }

  /// The subscriptions of an account, latest expiry first, then by id as text.
  ///
  /// - Parameters:
  ///   - ftcID: The account; an unknown one, and one that no account can be, has none.
  ///   - page: From 1.
  ///   - pageLength: From 1 to 100.
  /// - Returns: How many there are in all, and those of the page; past the end none.
  /// - Throws: ``SubscriptionFailure/userMissing``, ``SubscriptionFailure/invalidPage``,
  ///   ``SubscriptionFailure/invalidPageLength``, or what the store throws.
  public func subscriptions(
    of ftcID: String?, page: Int = 1, pageLength: Int = 20
  ) async throws -> SubscriptionPage {
    guard isPresent(ftcID) else { throw SubscriptionFailure.userMissing }
    guard page >= 1 else { throw SubscriptionFailure.invalidPage }
    guard (1...100).contains(pageLength) else { throw SubscriptionFailure.invalidPageLength }
    guard let owner = try? required(ftcID, .ftcID) else {
      return SubscriptionPage(total: 0, subscriptions: [])
    }
    let (offset, isBeyond) = (page - 1).multipliedReportingOverflow(by: pageLength)
    return try await store.read { records in
      try await records.subscriptions.list(
        owner: owner, offset: isBeyond ? .max : offset, limit: pageLength)
    }
  }

  // MARK: Identifiers

  /// Whether anything but white space is there.
  func isPresent(_ text: String?) -> Bool { text.map { !$0.isBlank } ?? false }

  /// - Throws: ``SubscriptionFailure/invalidTransactionID`` unless there are 1 to 64 digits.
  func checked(_ originalTransactionID: String) throws(SubscriptionFailure) -> String {
    guard TransactionIDs.areDigits(originalTransactionID) else { throw .invalidTransactionID }
    return originalTransactionID
  }

  /// The id of a subscription without the white space around it.
  func trimmed(transactionID id: String) throws(SubscriptionFailure) -> String {
    try checked(String(id.trimmed))
  }

  /// Both have to be there (L2, U2); the first that is not is named, before either is looked at.
  func present(
    account ftcID: String?, transactionID: String?
  ) throws(SubscriptionFailure) -> (ftcID: String, transactionID: String) {
    guard let ftcID, isPresent(ftcID) else { throw .missing(.ftcID) }
    guard let transactionID, isPresent(transactionID) else {
      throw .missing(.originalTransactionID)
    }
    return (ftcID, transactionID)
  }

  /// An identifier of an account that has to be there.
  func required(
    _ id: String?, _ field: SubscriptionField
  ) throws(SubscriptionFailure) -> String {
    guard let id = try optional(id, field) else { throw .missing(field) }
    return id
  }

  /// An identifier of an account that may be missing or blank.
  func optional(
    _ id: String?, _ field: SubscriptionField
  ) throws(SubscriptionFailure) -> String? {
    do throws(AccountFailure) {
      return try Account.checked(id)
    } catch {
      throw .invalidAccountID(field, error)
    }
  }
}
