internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Verified facts about purchases, as of one moment.
///
/// Facts come only from verified evidence: a signed transaction, an app receipt, an answer of
/// verifyReceipt, of the App Store Server API or of Google Play, or a notification. The sender of the
/// evidence is not necessarily the owner of the purchases.
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
    case verifyReceipt
    /// An app receipt that was verified without asking Apple.
    case appReceipt
    /// A signed transaction, with or without its renewal info.
    case signedTransaction
    /// A server notification of version 2.
    case notification
    case appStoreServer
    case googlePlay
  }

  /// The extent of the facts.
  public enum Completeness: Hashable, Sendable, CaseIterable {
    /// All purchases and all renewals of the subscriptions, up to the moment.
    case all
    /// Single purchases, which imply nothing about others.
    case single
    /// The purchases known to a device at that moment, without renewals.
    ///
    /// Newer purchases and some values may be missing.
    case device
  }

  public let voucher: Voucher
  public let completeness: Completeness
  public var vendor: Vendor { voucher == .googlePlay ? .google : .apple }
  public let environment: AppStoreEnvironment
  /// The moment to which the facts apply, in whole milliseconds.
  public let asOf: Date
  /// The purchases, in ascending order of transaction ID as text.
  public internal(set) var purchases: [PurchaseRecord]
  public let renewals: [RenewalRecord]

  /// The original transaction IDs that transactions had before Apple moved them to another one, by that
  /// other one.
  ///
  /// For Google Play these are the purchases that another one continues.
  var moves: [String: Set<String>] = [:]
  /// The moment from which the earlier purchases give nothing, at Google Play, where these stay what they are.
  var replacementDate: Date?
  /// The token of the purchase that this one continues, at Google Play.
  var continuedToken: String?
  /// The original transaction IDs of all purchases that this one continues, as far as they were asked about, the
  /// nearest first, at Google Play.
  ///
  /// Nothing may rest on the one before, such as that of a product that the host does not know.
  var distantIDs: [String] = []
  /// Whether these facts are those of an ancestor of what was told.
  var isAncestor = false
  /// The facts of the purchases that this one continues, as far as they were asked about; the oldest first.
  var ancestors: [PurchaseFacts] = []
  /// The moment from which no charge of a subscription of Google Play gives anything.
  var endDate: Date?
  /// The text by which the host's app marked the user at Google Play.
  var accountMark: String?
  /// Whether Google Play refunds the purchase unless somebody acknowledges it.
  var needsAcknowledgement = false
  var session: VerificationSession?
  /// Problems in the evidence, which the service reports.
  var incidents: [ServiceIncident] = []
  /// The receipt in base64, or the purchase token.
  var receipt: String?
  /// The original transaction ID under which the database had that receipt; nil for one that it may not have had.
  var storedID: String?

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

  /// The original transaction IDs of transactions before Apple moved them to another one, or of the purchases that
  /// this one continues.
  var previousIDs: Set<String> { Set(moves.values.joined()).union(distantIDs) }

  /// The original transaction IDs before that of a purchase, the nearest first.
  func previousIDs(of originalTransactionID: String) -> [String] {
    let nearest = (moves[originalTransactionID] ?? []).sorted()
    // One token stands for all products of a purchase at Google Play.
    return nearest + (nearest.isEmpty ? [] : distantIDs.filter { !nearest.contains($0) })
  }

  /// The text by which the host's app marked the user of the purchase, or of the nearest one that it continues and
  /// that has a mark.
  var inheritedMark: String? {
    accountMark ?? ancestors.last { $0.accountMark != nil }?.accountMark
  }

  /// The facts of the purchases that this one continues, and then these, which is the order to record them in.
  var lineage: [PurchaseFacts] { ancestors + [self] }

  /// Returns the original transaction IDs of the purchases that another one continues, the nearest first.
  func continuedIDs(by originalTransactionID: String) -> [String] {
    let moves = lineage.map(\.moves).reduce(into: [:]) { $0.merge($1) { $0.union($1) } }
    var found = [originalTransactionID]
    var next = 0
    while next < found.count {
      found += (moves[found[next]] ?? []).sorted().filter { !found.contains($0) }
      next += 1
    }
    return Array(found.dropFirst())
  }

  /// The distinct original transaction IDs of the purchases, in ascending order as text.
  public var originalTransactionIDs: [String] {
    Set(purchases.map(\.originalTransactionID)).sorted()
  }

  /// Returns the original transaction IDs of purchases of known products, in ascending order as
  /// text.
  ///
  /// Stored purchases don't count. A purchase of an unknown product has no effect until Apple sends
  /// it again.
  func originalTransactionIDs(knownTo products: ProductMap) -> [String] {
    let known = purchases.filter { products[$0] != nil }
    return Set(known.map(\.originalTransactionID)).sorted()
  }
}

extension PurchaseFacts: CustomStringConvertible, CustomReflectable {
  /// The kind of evidence and the number of purchases, never a receipt or a token.
  public var description: String { "PurchaseFacts(\(voucher), \(purchases.count) purchases)" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason that verified evidence has no facts that can be recorded.
@nonexhaustive
public enum FactsFailure: Error, Hashable, Sendable {
  /// The environment is neither Production nor Sandbox.
  case environmentNotRecorded(AppStoreEnvironment)
  /// An identifier cannot be stored, or the product ID or the signing date is missing.
  case malformedTransaction
  /// The renewal info belongs to another subscription or another environment.
  case renewalInfoOfOtherSubscription
  /// The evidence has no purchase.
  case empty
}

extension PurchaseFacts {
  /// Adds the type, the plan and the commitment of each purchase that an earlier evidence named, and this one does not.
  mutating func adoptKnown(of stored: [PurchaseRecord]) {
    let known = Dictionary(stored.map { ($0.transactionID, $0) }) { $1 }
    for index in purchases.indices {
      guard let record = known[purchases[index].transactionID] else { continue }
      purchases[index].productType = purchases[index].productType ?? record.productType
      purchases[index].planID = purchases[index].planID ?? record.planID
      purchases[index].commitment = purchases[index].commitment ?? record.commitment
      purchases[index].adoptPrice(of: record)
    }
  }

  /// Notes where stored purchases were before Apple moved them.
  mutating func noteMoves(of stored: [PurchaseRecord]) {
    let originals = Dictionary(stored.map { ($0.transactionID, $0.originalTransactionID) }) { $1 }
    for purchase in purchases {
      guard let previous = originals[purchase.transactionID],
        previous != purchase.originalTransactionID
      else { continue }
      moves[purchase.originalTransactionID, default: []].insert(previous)
    }
  }

  /// Merges facts of single purchases, of which those of one environment become one.
  static func merged(_ all: [PurchaseFacts]) -> [PurchaseFacts] {
    Dictionary(grouping: all, by: \.environment).values.compactMap { group in
      guard var first = group.first, group.count > 1 else { return group.first }
      var purchases: [String: PurchaseRecord] = [:]
      for purchase in group.flatMap(\.purchases) {
        let known = purchases[purchase.transactionID]?.signedDate ?? .distantPast
        if known <= purchase.signedDate ?? .distantPast {
          purchases[purchase.transactionID] = purchase
        }
      }
      let moves = group.map(\.moves).reduce(into: [:]) { $0.merge($1) { $0.union($1) } }
      first = PurchaseFacts(
        first.voucher, first.completeness, environment: first.environment,
        asOf: group.map(\.asOf).max() ?? first.asOf, purchases: Array(purchases.values),
        renewals: group.flatMap(\.renewals))
      first.moves = moves
      return first
    }
  }
}

extension PurchaseRecord {
  /// Returns the record with Apple's stamp.
  ///
  /// Optional texts that no column can hold become nil. Source: linking rules, section 4.6.
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
  /// Returns the record with Apple's stamp, or nil if it has no product, which is part of the row's
  /// key.
  func stamped(_ asOf: Date, _ environment: AppStoreEnvironment) -> RenewalRecord? {
    var record = self
    record.signedDate = asOf
    record.environment = environment
    record.autoRenewProductID = autoRenewProductID.fitting(.productID)
    record.commitment?.productID = commitment?.productID.fitting(.productID)
    record.commitment?.planID = commitment?.planID.fitting(.other)
    record.productID = productID.fitting(.productID) ?? record.autoRenewProductID
    record.offer?.identifier = offer?.identifier.fitting(.other)
    return record.productID == nil ? nil : record
  }
}

extension String? {
  /// Returns the text, or nil if it is empty or no column can hold it.
  func fitting(_ shape: StoredText.Shape) -> String? {
    flatMap { $0.utf8.isEmpty || !StoredText.fits($0, shape) ? nil : $0 }
  }
}

extension Date {
  /// The date as a stamp, rounded down to whole milliseconds.
  ///
  /// Stores keep whole milliseconds. An unrounded stamp could look newer than the stored stamp of the same evidence.
  /// Source: linking rules, section 4.6.
  var stamp: Date {
    let nearest = StoredMoment.milliseconds(self)
    // A date holds binary seconds, so whole milliseconds may be stored as slightly less.
    let isRoundedUp = StoredMoment.date(milliseconds: nearest).timeIntervalSince(self) > 0.000_001
    return StoredMoment.date(milliseconds: isRoundedUp ? nearest - 1 : nearest)
  }
}
