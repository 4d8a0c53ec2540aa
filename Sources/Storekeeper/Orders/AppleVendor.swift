public import AppStoreServerAPI
public import OrderPolicy
public import JWSVerifier
public import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The App Store, as a vendor of ordered subscriptions.
///
/// Evidence is a receipt in base64, about which verifyReceipt is asked, or a signed transaction. That is verified
/// here, and then refreshed through the App Store Server API; without a client for the app, its signature, dates and
/// revocation decide alone. Source: entitlement rules, section 13.
public struct AppleVendor: PurchaseVendor {
  public let receipts: VerifyReceiptClient?
  /// The server that is asked about receipts first; the other one only if Apple says so.
  public let firstServer: VerifyReceiptServer
  /// The verifier of signed transactions; nil to accept none.
  public let verifier: SignedDataVerifier?
  /// The clients of the App Store Server API, one for each app.
  public let appStores: [AppStoreServerClient]
  /// The port that is told of each verification; nil, as by default, to tell nobody.
  public var telemetry: (any Telemetry)?

  /// Creates the vendor.
  ///
  /// - Parameters:
  ///   - receipts: The client of verifyReceipt, configured as `.orderService` or stricter.
  ///   - firstServer: The server that is asked about receipts first.
  ///   - verifier: The verifier of signed transactions.
  ///   - appStores: The clients of the App Store Server API, one for each app; those of the verifier's apps that have
  ///     none are not asked about.
  public init(
    receipts: VerifyReceiptClient? = nil, firstServer: VerifyReceiptServer = .production,
    verifier: SignedDataVerifier? = nil, appStores: [AppStoreServerClient] = []
  ) {
    self.receipts = receipts
    self.firstServer = firstServer
    self.verifier = verifier
    self.appStores = appStores
  }

  public var vendor: Vendor { .apple }

  /// Asks Apple about a receipt or a signed transaction.
  public func check(
    _ receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorAnswer {
    await report(on: receiptData, for: purpose, at: now).answer
  }

  /// Asks Apple about a receipt or a signed transaction, and makes facts of what was verified.
  public func report(
    on receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorReport {
    await report(on: PurchaseEvidence(ofApple: receiptData), for: purpose, at: now)
  }

  /// Asks Apple about evidence, and makes facts of what was verified.
  public func report(
    on sent: PurchaseEvidence, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorReport {
    do {
      switch sent {
      case .signedTransaction(let token, _):
        return try await report(onTransaction: token, for: purpose, at: now)
      case .receipt(let text):
        let verified = try await evidence.answer(about: text, startingAt: firstServer)
        return VendorReport(verified.evidence, facts: try? PurchaseFacts(verified), at: now)
      case .purchaseToken: throw EvidenceFailure.notSupported
      }
    } catch let failure as EvidenceFailure {
      // A pause counts from the last answer, not from the question: the client may have waited itself.
      return VendorReport(VendorAnswer(failure, for: purpose, at: receipts?.now() ?? now))
    } catch {
      return VendorReport(.incidentalFailure(IncidentalFailure(.unreachable)))
    }
  }

  var evidence: EvidenceVerifier {
    EvidenceVerifier(
      signedData: verifier, appStore: receipts, movesToProduction: true, telemetry: telemetry)
  }
}

extension VerifyReceiptClient.Configuration {
  /// The configuration of a client for an ``AppleVendor``: both environments are accepted, and receipts
  /// without subscriptions, which the vendor itself refuses.
  ///
  /// Where purchases of the Sandbox count for nobody, set `environments` to Production alone and `fallbacks` to none, so
  /// that the Sandbox is not asked about its receipts.
  ///
  /// Source: entitlement rules, section 13.
  public static var orderService: VerifyReceiptClient.Configuration {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.production, .sandbox]
    configuration.missingSubscriptions = .accept
    return configuration
  }
}
