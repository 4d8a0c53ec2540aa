public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

internal import PurchaseStorage

/// Facts about purchases that a store vouches for, as of one moment.
///
/// Facts are made of verified evidence only: of a signed transaction, an app receipt, an answer of
/// verifyReceipt or a notification. Whoever sent the evidence need not own the purchases.
///
/// ```swift
/// let facts = try PurchaseFacts(verifier.transaction(signedTransactionInfo))
/// let subscriptions = try await service.record(facts)
/// ```
///
/// Source: linking rules, section 4.6.
public struct PurchaseFacts: Sendable {
  /// The evidence behind the facts.
  public enum Voucher: Hashable, Sendable, CaseIterable {
    /// An answer of verifyReceipt.
    case verifyReceipt
    /// An app receipt that was verified without asking Apple.
    case appReceipt
    /// A signed transaction, with or without its renewal info.
    case signedTransaction
    /// A server notification of version 2.
    case notification
  }

  /// The extent of the facts.
  public enum Completeness: Hashable, Sendable, CaseIterable {
    /// All purchases and all renewals of the subscriptions, up to the moment.
    case all
    /// Single purchases, which tell nothing about others.
    case single
    /// The purchases that a device knew at the moment, without renewals; newer ones and some of their
    /// values may be missing.
    case device
  }

  /// The evidence behind the facts.
  public let voucher: Voucher
  /// The extent of the facts.
  public let completeness: Completeness
  /// The environment of the purchases.
  public let environment: AppStoreEnvironment
  /// The moment as of which the facts hold, in whole milliseconds.
  public let asOf: Date
  /// The purchases, in ascending order of transaction ID as text.
  public let purchases: [PurchaseRecord]
  /// The entries about coming renewals.
  public let renewals: [RenewalRecord]

  /// The original IDs that transactions had before Apple moved them to another one.
  var previousIDs: Set<String> = []
  var session: VerificationSession?
  /// The receipt in base64.
  var receipt: String?

  init(
    _ voucher: Voucher, _ completeness: Completeness, environment: AppStoreEnvironment, asOf: Date,
    purchases: [PurchaseRecord], renewals: [RenewalRecord]
  ) {
    self.voucher = voucher
    self.completeness = completeness
    self.environment = environment
    self.asOf = asOf
    self.purchases = purchases.sorted { $0.transactionID < $1.transactionID }
    self.renewals = renewals
  }

  /// The original transaction IDs of the purchases, each once, in ascending order as text.
  public var originalTransactionIDs: [String] {
    Set(purchases.map(\.originalTransactionID)).sorted()
  }

  /// The original IDs of purchases of known products, in ascending order.
  ///
  /// Stored purchases don't count: nothing follows from a product that the host doesn't know yet, and
  /// Apple has to send it again.
  func originalTransactionIDs(knownTo products: ProductMap) -> [String] {
    let known = purchases.filter { products[$0.productID] != nil }
    return Set(known.map(\.originalTransactionID)).sorted()
  }
}

/// The reason why verified evidence holds no facts that can be recorded.
public enum FactsFailure: Error, Hashable, Sendable {
  /// The environment is neither Production nor Sandbox.
  case environmentNotRecorded(AppStoreEnvironment)
  /// An ID is not 1 to 64 digits, or there is no product ID.
  case malformedTransaction
  /// The renewal info belongs to another subscription or another environment.
  case renewalInfoOfOtherSubscription
  /// There is no purchase.
  case empty
}

extension PurchaseRecord {
  /// Returns the record with Apple's stamp; optional texts that no column can hold become nil.
  ///
  /// Source: linking rules, section 4.1.
  func stamped(_ asOf: Date, _ environment: AppStoreEnvironment) -> PurchaseRecord {
    var record = self
    record.signedDate = asOf
    record.environment = environment
    record.webOrderLineItemID = webOrderLineItemID.fitting(.other)
    record.offer?.identifier = offer?.identifier.fitting(.other)
    return record
  }
}

extension RenewalRecord {
  /// Returns the record with Apple's stamp; nil without a product, which is part of the row's key.
  func stamped(_ asOf: Date, _ environment: AppStoreEnvironment) -> RenewalRecord? {
    var record = self
    record.signedDate = asOf
    record.environment = environment
    record.autoRenewProductID = autoRenewProductID.fitting(.productID)
    record.productID = productID.fitting(.productID) ?? record.autoRenewProductID
    record.offer?.identifier = offer?.identifier.fitting(.other)
    return record.productID == nil ? nil : record
  }
}

extension String? {
  /// Returns nil for an empty text, and for a text that no column can hold.
  func fitting(_ shape: StoredText.Shape) -> String? {
    flatMap { $0.utf8.isEmpty || !StoredText.fits($0, shape) ? nil : $0 }
  }
}
