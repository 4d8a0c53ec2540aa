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

extension VerifiedReceipt {
  /// The charges of the subscriptions in Apple's answer.
  var evidence: AppleEvidence {
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
  /// Creates the answer for Apple's evidence that was not verified.
  ///
  /// Source: entitlement rules, section 13.
  init(_ failure: EvidenceFailure, for purpose: VendorCheckPurpose, at now: Date) {
    switch failure {
    case .notSupported: self = .invalid(for: purpose, otherwise: .notConfigured)
    case .signedData(.onlineCheckFailed, _):
      self = .incidentalFailure(IncidentalFailure(.unreachable))
    case .signedData(.bundleMismatch(found: .some), _),
      .signedData(.appAppleIdMismatch(found: .some), _),
      .verifyReceipt(.refused(.bundleMismatch, _)):
      self = .invalid(for: purpose, otherwise: .otherApp)
    case .signedData(.environmentNotAllowed, _), .signedData(.environmentUnknown, _),
      .verifyReceipt(.refused(.notAuthenticated, _)),
      .verifyReceipt(.refused(.accountNotFound, _)), .verifyReceipt(.refused(.wrongServer, _)),
      .verifyReceipt(.refused(.environmentNotAllowed, _)):
      self = .explicitFailure(ExplicitFailure(.invalid))
    case .verifyReceipt(.refused(.noSubscriptions, _)):
      self = .explicitFailure(ExplicitFailure(.noSubscription))
    // Apple declares a subscription of the iOS 6 form expired without a word about the receipt too.
    case .verifyReceipt(.transient(.receiptMissing(.subscriptionExpired), _)):
      self = .explicitFailure(ExplicitFailure(.expired))
    case .verifyReceipt(.transient(let failure, _)) where failure != .malformedReceipt:
      self = .incidentalFailure(IncidentalFailure(failure, at: now))
    default: self = .invalid(for: purpose, otherwise: .noEvidence)
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
