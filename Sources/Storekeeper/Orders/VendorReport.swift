public import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A vendor's word about evidence, with the verified facts behind it.
public struct VendorReport: Sendable {
  /// The vendor's word, as far as this evidence alone tells.
  public let answer: VendorAnswer
  /// The facts, or nil if there are none that can be recorded.
  public internal(set) var facts: PurchaseFacts?
  /// The name of the source that was asked, for a failure that somebody should look after; nil if no more than the
  /// vendor is known.
  public var source: PurchaseScope?

  /// The original transaction ID of a purchase that is over for good and that the vendor describes no more.
  let forgottenID: String?
  /// The charges by which Apple's word is judged; nil for other vendors, and for a failure.
  let evidence: AppleEvidence?

  /// Creates a report.
  public init(_ answer: VendorAnswer, facts: PurchaseFacts? = nil) {
    self.init(answer, facts: facts, forgottenID: nil)
  }

  init(_ answer: VendorAnswer, facts: PurchaseFacts? = nil, forgottenID: String?) {
    self.answer = answer
    self.facts = facts
    self.forgottenID = forgottenID
    evidence = nil
  }

  init(_ evidence: AppleEvidence, facts: PurchaseFacts?, at now: Date) {
    answer = evidence.answer(besides: [], at: now)
    self.facts = facts
    forgottenID = nil
    self.evidence = evidence
  }

  /// The questions of a unit of work about an order of a user, as far as the report tells them, in the order in which
  /// rows are locked; with a capability, also who has the purchases besides that.
  func questions(
    of userID: AccountID, besides capability: StoreCapability? = nil
  ) -> [UnitQuestion] {
    let keys = answer.claimedKeys
    var questions: [UnitQuestion] = [.orderedSubscription(userID), .levels, .claims(keys)]
    if let capability { questions += PurchaseOwners.questions(about: keys, besides: capability) }
    guard let environment else { return questions }
    if let facts, capability != nil { questions.append(.recording(facts.purchases, environment)) }
    questions.append(.transactions(of: storedIDs, environment))
    if let evidence {
      questions.append(
        .originalTransactionIDs(
          ofTransactions: evidence.charges.map(\.transactionID), environment))
    }
    return questions
  }

  /// The original transaction IDs of the purchases that the vendor's word is about, in ascending order.
  private var storedIDs: [String] {
    Set(facts?.originalTransactionIDs ?? []).union(evidence?.originalTransactionIDs ?? []).sorted()
  }

  var environment: AppStoreEnvironment? { facts?.environment ?? evidence?.environment }

  /// Returns the facts to record: those of the report, or the end of a stored purchase that was forgotten.
  func facts(in records: UnitOfWork, at now: Date) async throws -> [PurchaseFacts] {
    if let facts { return [facts] }
    guard let forgottenID else { return [] }
    return try await PurchaseFacts.ends(of: forgottenID, asOf: now, in: records)
  }

  /// Returns the stored purchases that the vendor's word is about, also under another original transaction ID to
  /// which Apple moved them.
  func stored(in records: UnitOfWork) async throws -> [PurchaseRecord] {
    let ids = storedIDs
    guard !ids.isEmpty, let environment else { return [] }
    let stored = try await records.purchases.transactions(of: ids, environment: environment)
    guard let evidence else { return stored }
    let found = Set(stored.map(\.transactionID))
    let missing = evidence.charges.map(\.transactionID).filter { !found.contains($0) }
    guard !missing.isEmpty else { return stored }
    let others = Set(
      try await records.purchases.originalTransactionIDs(
        ofTransactions: missing, environment: environment)
    ).subtracting(ids)
    guard !others.isEmpty else { return stored }
    return stored
      + (try await records.purchases.transactions(of: others.sorted(), environment: environment))
  }

  /// Returns the vendor's word, judged by the whole history of the purchase: as ``stored(in:)`` found it, and as the
  /// vendor tells it.
  ///
  /// Source: entitlement rules, section 13.
  func answer(besides stored: [PurchaseRecord], at now: Date) -> VendorAnswer {
    let judged = evidence?.answer(besides: stored, at: now) ?? answer
    guard let facts, case .valid(var purchase) = judged else { return judged }
    if facts.hasEnded(purchase.productID, besides: stored) {
      return .explicitFailure(
        ExplicitFailure(.expired, purchaseKey: purchase.purchaseKey, isReplaced: true))
    }
    let own = facts.originalTransactionIDs.filter {
      facts.purchaseKey(of: $0) == purchase.purchaseKey
    }
    for id in own.flatMap({ facts.continuedIDs(by: $0) }) {
      let key = facts.purchaseKey(of: id)
      if !purchase.linkedPurchaseKeys.contains(key) { purchase.linkedPurchaseKeys.append(key) }
    }
    // Whom an earlier purchase was marked for owns the one that continues it.
    purchase.accountMark = purchase.accountMark ?? facts.inheritedMark
    return .valid(purchase)
  }
}

extension VendorReport: CustomStringConvertible, CustomReflectable {
  /// The vendor's word, never the evidence.
  public var description: String { "VendorReport(\(answer))" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PurchaseFacts {
  /// Returns the key under which orders know the purchase with an original transaction ID.
  func purchaseKey(of originalTransactionID: String) -> PurchaseKey {
    PurchaseKey(originalTransactionID: originalTransactionID, environment: environment)
  }
}

// The answers that differ by the purpose of a check: a new order is refused, but what was good before stays.
//
// Source: entitlement rules, section 13.
extension VendorAnswer {
  /// The answer about evidence that is none here: invalid on an order, and a failure that says nothing later.
  static func invalid(
    for purpose: VendorCheckPurpose, otherwise failure: IncidentalFailure
  ) -> VendorAnswer {
    purpose == .order
      ? .explicitFailure(ExplicitFailure(.invalid)) : .incidentalFailure(failure)
  }
}

extension IncidentalFailure {
  /// The evidence counted before, and is none now.
  static let noEvidence = IncidentalFailure(.doubtful)
  /// There is nobody to ask about evidence of this kind, although there was before.
  static let notConfigured = IncidentalFailure(.refused, needsAttention: true)
  /// Evidence of another app, which only a wrong setting makes of evidence that was good before.
  static let otherApp = IncidentalFailure(.otherApp, needsAttention: true)
}

extension Duration {
  /// The time until a date in whole milliseconds, as dates are not exact; none if it has passed.
  static func seconds(until date: Date, from now: Date) -> Duration {
    .milliseconds(Int(max(0, date.timeIntervalSince(now) * 1000).rounded()))
  }
}
