internal import OrderPolicy
internal import HTTPMessages
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AppleVendor {
  /// Asks verifyReceipt about a receipt.
  func report(
    onReceipt receipt: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorReport {
    guard let receipts else {
      return VendorReport(.invalid(for: purpose, otherwise: .notConfigured))
    }
    do {
      let verified = try await receipts.verify(base64: receipt, startingAt: firstServer)
      return VendorReport(
        verified.evidence, facts: try? PurchaseFacts(verified), at: now)
    } catch let failure as VerifyReceiptFailure {
      return VendorReport(VendorAnswer(failure, for: purpose, at: receipts.now()))
    } catch {
      return VendorReport(.incidentalFailure(IncidentalFailure(.unreachable)))
    }
  }
}

extension VerifiedReceipt {
  /// The charges of the subscriptions in Apple's answer.
  fileprivate var evidence: AppleEvidence {
    let entries = response.latestReceiptInfo ?? response.latestExpiredReceiptInfo ?? []
    let charges = entries.compactMap { entry in
      PurchaseRecord(entry)?.stamped(requestDate.stamp, environment)
    }
    return AppleEvidence(
      environment: environment,
      originalTransactionIDs: Set(charges.map(\.originalTransactionID)), charges: charges,
      receiptData: response.latestReceipt.fitting(.orderReceipt),
      hasUnreadableEnd: entries.contains(where: \.hasUnreadableEnd),
      isDeclaredExpired: response.status == .subscriptionExpired)
  }
}

extension ReceiptTransaction {
  /// Whether a member that tells the end is there, but could not be read.
  fileprivate var hasUnreadableEnd: Bool {
    ["expires_date_ms", "cancellation_date_ms"].contains { additionalMembers[$0] != nil }
  }
}

extension VendorAnswer {
  /// Creates the answer for a failed question about a receipt.
  ///
  /// Source: entitlement rules, section 13.
  fileprivate init(
    _ failure: VerifyReceiptFailure, for purpose: VendorCheckPurpose, at now: Date
  ) {
    switch failure {
    case .refused(let refusal, _):
      switch refusal {
      case .notAuthenticated, .accountNotFound, .wrongServer, .environmentNotAllowed:
        self = .explicitFailure(ExplicitFailure(.invalid))
      case .noSubscriptions: self = .explicitFailure(ExplicitFailure(.noSubscription))
      case .bundleMismatch: self = .invalid(for: purpose, otherwise: .otherApp)
      default: self = .invalid(for: purpose, otherwise: .noEvidence)
      }
    case .transient(.malformedReceipt, _):
      self = .invalid(for: purpose, otherwise: .noEvidence)
    // Apple declares a subscription of the iOS 6 form expired without a word about the receipt too.
    case .transient(.receiptMissing(.subscriptionExpired), _):
      self = .explicitFailure(ExplicitFailure(.expired))
    case .transient(let failure, _):
      self = .incidentalFailure(IncidentalFailure(failure, at: now))
    }
  }
}

extension IncidentalFailure {
  fileprivate init(_ failure: VerifyReceiptTransientFailure, at now: Date) {
    switch failure {
    case .transport, .timeUp: self.init(.unreachable)
    case .httpStatus(let status, let retryAfter):
      let isBusy = status == .tooManyRequests || (500...599).contains(status.code)
      self.init(
        isBusy ? .busy : .refused, retryAfter: retryAfter.map { .seconds(until: $0, from: now) })
    case .serverUnavailable, .internalDataAccess: self.init(.busy)
    case .sharedSecretMismatch: self.init(.refused, needsAttention: true)
    case .unknownStatus(let status): self.init(status)
    default: self.init(.unreadable)
    }
  }

  /// A status by which Apple refuses our request, or one that nobody knows.
  private init(_ status: VerifyReceiptStatus) {
    switch status.rawValue {
    case 21_000: self.init(.refused, needsAttention: true)
    case 21_001: self.init(.refused)
    default: self.init(.unreadable)
    }
  }
}
