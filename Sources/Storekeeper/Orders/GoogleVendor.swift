public import OrderPolicy
public import GooglePlayVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Google Play, as a vendor of ordered subscriptions.
///
/// Evidence is a purchase token, about which Google is asked. A purchase of a license tester counts as one of the
/// Sandbox. Source: entitlement rules, section 13; Google Play rules.
public struct GoogleVendor: PurchaseVendor {
  public let play: GooglePlayClient
  /// The port that is told of each verification; nil, as by default, to tell nobody.
  public var telemetry: (any Telemetry)?

  /// Creates the vendor.
  public init(_ play: GooglePlayClient) { self.play = play }

  /// The time limit of a question, repetitions included; as with Apple, a user waits for the answer.
  private static let patience = Duration.seconds(25)
  /// The time limit of the second question, about one-time products.
  private static let productPatience = Duration.seconds(5)

  public var vendor: Vendor { .google }

  /// Asks Google about a purchase token.
  public func check(
    _ receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorAnswer {
    await report(on: receiptData, for: purpose, at: now).answer
  }

  /// Asks Google about a purchase token, and makes facts of the answer.
  public func report(
    on receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorReport {
    guard let purchaseKey = purchaseKey(of: receiptData) else {
      return VendorReport(.incidentalFailure(IncidentalFailure(.unreachable)))
    }
    do throws(GooglePlayFailure) {
      return try await telemetry.verifyingToken { () async throws(GooglePlayFailure) in
        try await answered(receiptData, purchaseKey, for: purpose, at: now)
      }
    } catch {
      return failed(error, purchaseKey, for: purpose, at: now)
    }
  }

  /// Returns what Google says of a token.
  ///
  /// One that is ordered, and of no subscription, may be of one-time products. Those are no order, but entitlements may
  /// rest on them.
  private func answered(
    _ token: String, _ purchaseKey: PurchaseKey, for purpose: VendorCheckPurpose, at now: Date
  ) async throws(GooglePlayFailure) -> VendorReport {
    let refusal: GooglePlayFailure
    do throws(GooglePlayFailure) {
      let purchase = try await play.subscription(token: token, patience: Self.patience)
      return VendorReport(
        answer(purchase, purchaseKey, for: purpose, at: now),
        facts: try? PurchaseFacts(purchase, token: token, asOf: now))
    } catch {
      guard purpose == .order, error.kind == .invalid else { throw error }
      refusal = error
    }
    do throws(GooglePlayFailure) {
      let purchase = try await play.product(token: token, patience: Self.productPatience)
      return VendorReport(
        failed(refusal, purchaseKey, for: purpose, at: now).answer,
        facts: try? PurchaseFacts(purchase, token: token, asOf: now))
    } catch {
      // Whether there is such a purchase is not known where nobody answered.
      throw error.kind == .invalid ? refusal : error
    }
  }

  private func failed(
    _ failure: GooglePlayFailure, _ purchaseKey: PurchaseKey, for purpose: VendorCheckPurpose,
    at now: Date
  ) -> VendorReport {
    var report = VendorReport(
      // The pause counts from the last answer, not from the question: the client may have waited itself.
      VendorAnswer(failure, purchaseKey, for: purpose, at: play.now()),
      forgottenID: failure.kind == .gone ? purchaseKey.originalTransactionID : nil)
    report.source = PurchaseScope(vendor: .google, appID: play.packageName)
    return report
  }

  /// Returns the key of a purchase, of whose token the environment is not known.
  public func purchaseKey(of receiptData: String) -> PurchaseKey? {
    TransactionIDs.googleOriginal(of: receiptData).map {
      PurchaseKey(originalTransactionID: $0, environment: .production)
    }
  }

  private func answer(
    _ purchase: SubscriptionPurchaseV2, _ purchaseKey: PurchaseKey, for purpose: VendorCheckPurpose,
    at now: Date
  ) -> VendorAnswer {
    func known(_ key: PurchaseKey) -> PurchaseKey {
      var key = key
      key.environment = purchase.isTest ? .sandbox : .production
      return key
    }
    let purchaseKey = known(purchaseKey)
    switch purchase.standing(at: now) {
    case .valid(let productID, let expiryTime):
      return .valid(
        VendorPurchase(
          productID: productID,
          planID: purchase.decidingLineItem(at: now)?.offerDetails?.basePlanID,
          expiration: expiryTime, purchaseKey: purchaseKey,
          linkedPurchaseKeys: purchase.replacedToken.flatMap { self.purchaseKey(of: $0) }
            .map { [known($0)] } ?? [],
          accountMark: purchase.accountMark,
          needsAcknowledgement: purchase.acknowledgementState == .pending))
    case .expired:
      return .explicitFailure(
        ExplicitFailure(.expired, purchaseKey: purchaseKey, isReplaced: purchase.isReplaced))
    case .pending:
      return purpose == .order
        ? .explicitFailure(ExplicitFailure(.paymentPending, purchaseKey: purchaseKey))
        : .incidentalFailure(IncidentalFailure(.paymentPending))
    case .canceledPending:
      return .explicitFailure(ExplicitFailure(.invalid, purchaseKey: purchaseKey))
    case .unknown: return .incidentalFailure(IncidentalFailure(.unreadable))
    }
  }
}

extension VendorAnswer {
  /// Creates the answer for a failed question about a purchase token.
  ///
  /// Source: entitlement rules, section 13.
  fileprivate init(
    _ failure: GooglePlayFailure, _ purchaseKey: PurchaseKey, for purpose: VendorCheckPurpose,
    at now: Date
  ) {
    switch failure.kind {
    // Without the key, as Google knows no such purchase: a wrong package name must not empty the table.
    case .invalid:
      self = .invalid(
        for: purpose, otherwise: IncidentalFailure(.doubtful, needsAttention: true))
    case .gone: self = .explicitFailure(ExplicitFailure(.expired, purchaseKey: purchaseKey))
    default: self = .incidentalFailure(IncidentalFailure(failure, at: now))
    }
  }
}

extension IncidentalFailure {
  init(_ failure: GooglePlayFailure, at now: Date) {
    switch failure.kind {
    case .credentials: self.init(.refused, needsAttention: true)
    case .limited, .backend:
      self.init(
        .busy, retryAfter: failure.retryAfter.map { Duration.seconds(until: $0, from: now) })
    case .transport, .cancelled: self.init(.unreachable)
    case .invalid, .gone, .unreadable: self.init(.unreadable)
    }
  }
}
