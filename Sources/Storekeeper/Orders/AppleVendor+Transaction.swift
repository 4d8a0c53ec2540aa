internal import AppStoreServerAPI
internal import EntitlementPolicy
internal import HTTPMessages
internal import JSONValues
internal import JWSVerifier
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
  ) async -> VendorReport {
    guard let verifier else {
      return VendorReport(.invalid(for: purpose, otherwise: .notConfigured))
    }
    let verified: Verified<Transaction>
    do throws(SignedDataFailure) {
      verified = try await verifier.checkingRevocation(of: try verifier.transaction(token))
    } catch {
      return VendorReport(VendorAnswer(error, for: purpose))
    }
    guard let sent = ApplePeriod(verified) else {
      return VendorReport(.explicitFailure(ExplicitFailure(.noSubscription)))
    }
    let appStore = appStores.first { verified.bundleID?.isSameText(as: $0.bundleID) == true }
    guard let appStore else {
      return VendorReport(
        sent.answer(at: now, isPresent: false), facts: try? PurchaseFacts(verified))
    }
    do {
      let facts = try await appStore.facts(
        about: PurchaseReference(
          originalTransactionID: sent.originalTransactionID, environment: sent.environment))
      var periods = (facts?.purchases ?? []).compactMap { ApplePeriod($0, sent) }
      // A list without the transaction may be older; one with it tells what became of it.
      if !periods.contains(where: { $0.transactionID == sent.transactionID }) {
        periods.append(sent)
      }
      return VendorReport(
        (ApplePeriod.last(of: periods) ?? sent).answer(at: now),
        facts: facts ?? (try? PurchaseFacts(verified)))
    } catch let failure as AppStoreServerFailure {
      return VendorReport(.incidentalFailure(IncidentalFailure(failure, at: now)))
    } catch {
      return VendorReport(.incidentalFailure(IncidentalFailure(.unreachable)))
    }
  }
}

extension ApplePeriod {
  /// Reads a signed transaction; nil if it is no subscription.
  fileprivate init?(_ verified: Verified<Transaction>) {
    let payload = verified.payload
    guard let id = payload.originalTransactionID, let productID = payload.productID,
      let expiry = payload.expiresDate
    else { return nil }
    self.init(
      environment: verified.environment, transactionID: payload.transactionID,
      originalTransactionID: id, productID: productID,
      end: payload.revocationDate ?? expiry, purchaseDate: payload.purchaseDate,
      appAccountToken: payload.appAccountToken)
  }

  /// Reads a present fact about the same subscription as a signed transaction; nil for others.
  fileprivate init?(_ record: PurchaseRecord, _ sent: ApplePeriod) {
    guard record.originalTransactionID == sent.originalTransactionID, !record.isUpgraded,
      let expiry = record.expiresDate
    else { return nil }
    self.init(
      environment: sent.environment, transactionID: record.transactionID,
      originalTransactionID: record.originalTransactionID,
      productID: record.productID, end: record.cancellationDate ?? expiry,
      purchaseDate: record.purchaseDate, appAccountToken: record.appAccountToken)
  }
}

extension VendorAnswer {
  /// Creates the answer for a signed transaction that was refused.
  fileprivate init(_ failure: SignedDataFailure, for purpose: VendorCheckPurpose) {
    switch failure {
    case .onlineCheckFailed: self = .incidentalFailure(IncidentalFailure(.unreachable))
    case .bundleMismatch(found: .some), .appAppleIdMismatch(found: .some):
      self = .invalid(for: purpose, otherwise: .otherApp)
    case .environmentNotAllowed, .environmentUnknown:
      self = .explicitFailure(ExplicitFailure(.invalid))
    default: self = .invalid(for: purpose, otherwise: .noEvidence)
    }
  }
}

extension IncidentalFailure {
  fileprivate init(_ failure: AppStoreServerFailure, at now: Date) {
    var retryAfter: Duration?
    if case .notBefore(let date) = failure.retry { retryAfter = .seconds(until: date, from: now) }
    switch failure.reason {
    case .transport, .timeUp, .limited: self.init(.unreachable, retryAfter: retryAfter)
    case .notJSON, .malformedAnswer, .notVerified: self.init(.unreadable)
    case .refused where failure.status.map { $0.code >= 500 || $0 == .tooManyRequests } ?? false:
      self.init(.busy, retryAfter: retryAfter)
    default: self.init(.refused, needsAttention: true)
    }
  }
}
