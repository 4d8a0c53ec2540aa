internal import OrderPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The charges that Apple's word about an order is judged by, together with what is stored about the same
/// subscriptions.
///
/// Charges that were refunded, revoked, upgraded or superseded give nothing, whatever tells them. Source: entitlement
/// rules, section 13; linking rules, section 4.7.
struct AppleEvidence: Sendable {
  let environment: AppStoreEnvironment
  /// The subscriptions that the evidence is about.
  let originalTransactionIDs: Set<String>
  /// The charges that Apple told, each with the moment of that.
  let charges: [PurchaseRecord]
  /// Newer evidence for the next validation, or nil.
  var receiptData: String?
  /// Whether Apple was asked; false if the evidence alone tells of the charges.
  var isPresent = true
  /// Whether a charge has an end that could not be read.
  var hasUnreadableEnd = false
  /// Whether Apple declared the subscription expired, whatever its dates are.
  var isDeclaredExpired = false

  /// Returns Apple's word: that of the charge which counts and ends last.
  ///
  /// Of two copies of a charge, told or stored, the later one counts.
  func answer(besides stored: [PurchaseRecord], at now: Date) -> VendorAnswer {
    let moves = moves(besides: stored)
    let ids = originalTransactionIDs.union(
      originalTransactionIDs.flatMap { moves[$0] ?? [] })
    let own = stored.filter {
      $0.environment == environment && ids.contains($0.originalTransactionID)
    }
    let all = PurchaseHistory.newestCopies(of: own + charges)
    let periods = Dictionary(grouping: all, by: \.originalTransactionID).values
      .map { PaidPeriods($0) { $0.expiresDate?.readable } }
    // What is stored about a purchase is the last word that was heard of it.
    let isPresent = isPresent || !own.isEmpty
    if !isDeclaredExpired, let last = periods.compactMap(\.kept).last, now < last.end {
      return .valid(
        VendorPurchase(
          productID: last.record.productID, planID: last.record.planID, expiration: last.end,
          purchaseKey: key(of: last.record.originalTransactionID), receiptData: receiptData,
          linkedPurchaseKeys: (moves[last.record.originalTransactionID] ?? []).sorted()
            .map { key(of: $0) },
          accountMark: last.record.appAccountToken?.uuidString, isPresent: isPresent))
    }
    // An end that could not be read may be in the future.
    guard !hasUnreadableEnd else { return .incidentalFailure(IncidentalFailure(.unreadable)) }
    let ended = periods.flatMap { [$0.kept, $0.cancelled, $0.upgraded].compactMap(\.self) }.last
    guard let ended else {
      return .explicitFailure(
        ExplicitFailure(isDeclaredExpired ? .expired : .noSubscription))
    }
    return .explicitFailure(
      ExplicitFailure(
        .expired, purchaseKey: isPresent ? key(of: ended.record.originalTransactionID) : nil))
  }

  /// Returns whether a charge is the one that counts at a moment, as far as these charges tell.
  func counts(_ transactionID: String, at now: Date) -> Bool {
    guard let kept = PaidPeriods(charges, end: { $0.expiresDate?.readable }).kept else {
      return false
    }
    return kept.record.transactionID == transactionID && now < kept.end
  }

  private func key(of originalTransactionID: String) -> PurchaseKey {
    PurchaseKey(originalTransactionID: originalTransactionID, environment: environment)
  }

  /// Returns the original transaction IDs between which Apple moved charges, in both directions: of a charge that
  /// is told under one and stored under another, the later copy counts.
  private func moves(besides stored: [PurchaseRecord]) -> [String: Set<String>] {
    let told = Dictionary(charges.map { ($0.transactionID, $0.originalTransactionID) }) { $1 }
    var moves: [String: Set<String>] = [:]
    for charge in stored {
      guard let id = told[charge.transactionID], id != charge.originalTransactionID else {
        continue
      }
      moves[id, default: []].insert(charge.originalTransactionID)
      moves[charge.originalTransactionID, default: []].insert(id)
    }
    return moves
  }
}

extension [PaidPeriods.Period] {
  /// The period with the latest effective end; of several the one that was bought last.
  fileprivate var last: PaidPeriods.Period? {
    self.max { one, other in
      one.effectiveEnd == other.effectiveEnd
        ? one.start < other.start : one.effectiveEnd < other.effectiveEnd
    }
  }
}

extension PaidPeriods.Period {
  /// The end, or the date of the cancellation if that is earlier.
  fileprivate var effectiveEnd: Date { min(end, record.cancellationDate?.readable ?? end) }

  fileprivate var start: Date { record.purchaseDate?.readable ?? .distantPast }
}

extension AppleEvidence: CustomStringConvertible, CustomReflectable {
  var description: String { "AppleEvidence(\(charges.count) charges)" }

  var customMirror: Mirror { Mirror(self, children: []) }
}
