internal import EntitlementPolicy
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
      return VendorReport(verified.answer(at: now), facts: try? PurchaseFacts(verified))
    } catch let failure as VerifyReceiptFailure {
      return VendorReport(VendorAnswer(failure, for: purpose))
    } catch {
      return VendorReport(.incidentalFailure(IncidentalFailure(.unreachable)))
    }
  }
}

extension VerifiedReceipt {
  /// The answer of the period that ends last.
  fileprivate func answer(at now: Date) -> VendorAnswer {
    let entries = response.latestReceiptInfo ?? response.latestExpiredReceiptInfo ?? []
    let last = ApplePeriod.last(of: entries.compactMap { ApplePeriod($0, environment) })
    if response.status == .subscriptionExpired {
      return .explicitFailure(ExplicitFailure(.expired, purchaseKey: last?.purchaseKey))
    }
    if let last, now < last.end {
      let latest = response.latestReceipt.flatMap { text in
        StoredText.fits(text, .orderReceipt) ? text : nil
      }
      return last.answer(at: now, receiptData: latest)
    }
    // An end that could not be read may be in the future.
    guard !entries.contains(where: \.hasUnreadableEnd) else {
      return .incidentalFailure(IncidentalFailure(.unreadable))
    }
    return last?.answer(at: now)
      ?? .explicitFailure(ExplicitFailure(.noSubscription))
  }
}

extension ApplePeriod {
  /// Reads an entry of `latest_receipt_info`; nil if it is no subscription.
  fileprivate init?(_ entry: ReceiptTransaction, _ environment: AppStoreEnvironment) {
    guard !entry.hasUnreadableEnd, let expiry = entry.expiresDate,
      let id = entry.originalTransactionID, let productID = entry.productID
    else { return nil }
    self.init(
      environment: environment, transactionID: entry.transactionID, originalTransactionID: id,
      productID: productID,
      end: entry.cancellationDate ?? expiry, purchaseDate: entry.purchaseDate,
      appAccountToken: entry.appAccountToken)
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
  fileprivate init(_ failure: VerifyReceiptFailure, for purpose: VendorCheckPurpose) {
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
    case .transient(let failure, _): self = .incidentalFailure(IncidentalFailure(failure))
    }
  }
}

extension IncidentalFailure {
  fileprivate init(_ failure: VerifyReceiptTransientFailure) {
    switch failure {
    case .transport, .timeUp: self.init(.unreachable)
    case .httpStatus(let status):
      let isBusy = status == .tooManyRequests || (500...599).contains(status.code)
      self.init(isBusy ? .busy : .refused)
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
