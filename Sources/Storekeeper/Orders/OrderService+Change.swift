internal import OrderPolicy
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OrderService {
  /// Asks a vendor about a purchase that it said has changed.
  ///
  /// A stored subscription that rests on it follows the answer. Otherwise the purchase is ordered for the user who
  /// has claimed it, whom it is marked for, or whose purchase it replaced; without one only the facts are recorded.
  /// The vendor makes the key of the purchase of `receiptData`.
  ///
  /// - Throws: ``OrderFailure/vendorUnavailable(_:)`` if the vendor cannot be asked, or an error of the host's
  ///   accounts or the store.
  public func purchaseChanged(_ receiptData: String, at vendor: Vendor) async throws {
    guard let asked = self.vendor(vendor),
      StoredText.fits(receiptData, .orderReceipt), let key = asked.purchaseKey(of: receiptData)
    else { return }
    for _ in 0..<Self.changeRounds {
      let (owner, stored) = try await store.read { records in
        try await records.claimant(of: key)
      }
      guard let stored, stored.purchaseKey == key else {
        do {
          return try await adopt(receiptData, from: asked, owner: owner)
        } catch is OvertakenAnswer {
          continue
        }
      }
      let moment = now()
      let report = await asked.report(on: stored.receiptData, for: .revalidation, at: moment)
      guard try saysSomething(report, of: vendor) else { return }
      if try await follow(report, of: stored, at: moment).isApplied { return }
      // A check that began before the change has overtaken this one, so that the vendor is asked again.
    }
    throw OrderFailure.vendorUnavailable(IncidentalFailure(.busy))
  }

  private static let changeRounds = 4

  /// Orders a purchase for the user who has claimed it, whom it is marked for, or whose purchase it replaced.
  private func adopt(
    _ receiptData: String, from asked: any PurchaseVendor, owner: AccountID?
  ) async throws {
    let moment = now()
    var report = await asked.report(on: receiptData, for: .order, at: moment)
    guard try saysSomething(report, of: asked.vendor) else { return }
    report = try await withLineage(report, from: asked, at: moment)
    guard case .valid(let purchase) = report.answer(besides: [], at: moment) else {
      return try await keep(report)
    }
    var userID = owner
    if userID == nil, !purchase.linkedPurchaseKeys.isEmpty {
      userID = try await store.read {
        try await $0.subscriptionClaims.owners(of: purchase.linkedPurchaseKeys)
      }.lazy.compactMap(\.self).first
    }
    if owner == nil { userID = try await markedUser(of: .valid(purchase), for: userID) ?? userID }
    guard let userID else { return try await keep(report) }
    _ = try await settle(
      SubscriptionOrder(userID: userID, vendor: asked.vendor, receiptData: receiptData), report,
      at: moment, unlessOvertaken: true, isShown: false)
  }

  /// Returns a report with the facts of the purchases that its purchase continues, back to the first; one that is
  /// claimed itself needs none.
  ///
  /// - Throws: ``OrderFailure/vendorUnavailable(_:)`` if the vendor cannot be asked about one of them, an error of
  ///   the store, or `CancellationError`.
  func withLineage(
    _ report: VendorReport, from asked: any PurchaseVendor, at now: Date
  ) async throws -> VendorReport {
    guard let facts = report.facts, facts.continuedToken != nil,
      let id = facts.originalTransactionIDs.first
    else { return report }
    let key = facts.purchaseKey(of: id)
    let owner = try await store.read {
      try await $0.subscriptionClaims.owners(of: [key])[0]
    }
    guard owner == nil else { return report }
    var report = report
    report.facts = try await facts.withLineage { token in
      let earlier = await asked.report(on: token, for: .revalidation, at: now)
      try Task.checkCancellation()
      return try saysSomething(earlier, of: asked.vendor) ? earlier.facts : nil
    }
    return report
  }

  /// Records the facts about a purchase that no order rests on, but perhaps a membership or an entitlement.
  private func keep(_ report: VendorReport) async throws {
    guard report.facts != nil || report.forgottenID != nil else { return }
    try await recording(report, at: now()) { _, _ in }
  }

  /// Returns whether a vendor said something about a purchase.
  ///
  /// - Throws: ``OrderFailure/vendorUnavailable(_:)`` if the same question may have an answer later.
  private func saysSomething(_ report: VendorReport, of vendor: Vendor) throws -> Bool {
    guard case .incidentalFailure(let failure) = report.answer else { return true }
    note(failure, of: vendor, in: report)
    switch failure.reason {
    case .unreachable, .busy, .refused, .unreadable: throw OrderFailure.vendorUnavailable(failure)
    default: return false
    }
  }
}

extension UnitOfWork {
  /// Returns the user that has claimed a purchase, and that user's subscription, which may rest on another one.
  func claimant(
    of purchase: PurchaseKey
  ) async throws -> (AccountID?, OrderedSubscription?) {
    guard let owner = try await subscriptionClaims.owners(of: [purchase])[0] else {
      return (nil, nil)
    }
    return (owner, try await orderedSubscriptions.find(owner))
  }
}
