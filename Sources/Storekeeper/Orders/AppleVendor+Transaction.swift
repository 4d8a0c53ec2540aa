internal import AppStoreServerAPI
internal import OrderPolicy
internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AppleVendor {
  /// Verifies a signed transaction, and asks the App Store Server API for what became of it.
  func report(
    onTransaction token: String, for purpose: VendorCheckPurpose, at now: Date
  ) async throws -> VendorReport {
    let verified = try await evidence.verified(.signedTransaction(token))
    guard let facts = try? verified.facts.get(), let sent = facts.purchases.first,
      sent.expiresDate != nil
    else { return VendorReport(.explicitFailure(ExplicitFailure(.noSubscription))) }
    let appStore = appStores.first { verified.bundleID?.isSameText(as: $0.bundleID) == true }
    guard let appStore else {
      return VendorReport(
        AppleEvidence(about: sent, told: facts, isPresent: false), facts: facts, at: now)
    }
    do {
      guard let told = try await appStore.facts(aboutSent: sent, in: facts, at: now) else {
        // Without the facts, as Apple knows no such purchase.
        return VendorReport(.invalid(for: purpose, otherwise: .noEvidence))
      }
      return VendorReport(
        AppleEvidence(about: sent, told: told, isPresent: true), facts: told, at: now)
    } catch let failure as AppStoreServerFailure {
      var report = VendorReport(
        .incidentalFailure(IncidentalFailure(failure, at: appStore.now())))
      report.source = PurchaseScope(
        vendor: .apple, appID: appStore.bundleID, environment: facts.environment)
      return report
    }
  }
}

extension AppleEvidence {
  /// Creates the evidence of a transaction that somebody sent.
  ///
  /// The facts told about its subscription may have the transaction under another original transaction ID, to which
  /// Apple moved it. `isPresent` tells whether Apple told them.
  fileprivate init(about sent: PurchaseRecord, told: PurchaseFacts, isPresent: Bool) {
    let original = sent.originalTransactionID
    let present =
      told.purchases.first { $0.transactionID == sent.transactionID }?.originalTransactionID
      ?? told.moves.first { $0.value.contains(original) }?.key ?? original
    self.init(
      environment: told.environment, originalTransactionIDs: [present],
      charges: told.purchases.filter { $0.originalTransactionID == present },
      isPresent: isPresent)
  }
}

extension AppStoreServerClient {
  /// Returns the present facts about the subscription of a transaction that somebody sent, or nil if Apple does
  /// not know it.
  ///
  /// The statuses list only the last charge. A charge that they leave out is looked up if it would count.
  ///
  /// - Throws: ``/AppStoreServerAPI/AppStoreServerFailure``, or `CancellationError`.
  fileprivate func facts(
    aboutSent sent: PurchaseRecord, in facts: PurchaseFacts, at now: Date
  ) async throws -> PurchaseFacts? {
    let reference = PurchaseReference(
      originalTransactionID: sent.originalTransactionID, environment: facts.environment)
    guard let told = try await self.facts(about: reference) else { return nil }
    let isListed = told.purchases.contains { $0.transactionID == sent.transactionID }
    let all = told.purchases.filter { $0.originalTransactionID == sent.originalTransactionID }
    let assumed = AppleEvidence(
      environment: facts.environment, originalTransactionIDs: [sent.originalTransactionID],
      charges: all + [sent])
    guard !isListed, assumed.counts(sent.transactionID, at: now) else { return told }
    return try await self.facts(about: reference, listing: sent.transactionID)
  }
}

extension IncidentalFailure {
  fileprivate init(_ failure: AppStoreServerFailure, at now: Date) {
    var date = failure.retryAfter
    if date == nil, case .notBefore(let moment) = failure.retry { date = moment }
    let retryAfter = date.map { Duration.seconds(until: $0, from: now) }
    switch failure.reason {
    case .transport, .timeUp, .limited: self.init(.unreachable, retryAfter: retryAfter)
    case .notJSON, .malformedAnswer, .notVerified: self.init(.unreadable)
    case .refused where failure.status.map { $0.code >= 500 || $0 == .tooManyRequests } ?? false:
      self.init(.busy, retryAfter: retryAfter)
    default: self.init(.refused, needsAttention: true)
    }
  }
}
