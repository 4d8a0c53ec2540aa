import AppStoreServerAPI
import Foundation
import GooglePlayVerifier
import HTTPMessages
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting

/// A simulated App Store, and a host's means to ask it.
struct SimulatedAppStore {
  let appStore: AppStoreSimulator

  /// The authority of all simulated App Stores, so that one verifier trusts all.
  private static let authority = Result { try TestAuthority.forReceipts() }
  private static let signing = Result { try TestAuthority.forSignedData() }

  init(
    _ bundleID: String, products: [TestProduct] = TestProduct.samples,
    environment: AppStoreEnvironment = .production, start: Date = Date()
  ) throws {
    appStore = try AppStoreSimulator(
      bundleID: bundleID, environment: environment, products: products
    ) {
      $0.authority = try Self.authority.get()
      $0.signedDataAuthority = try Self.signing.get()
      $0.start = start
    }
  }

  static var trustAnchors: [TrustAnchor] {
    (try? [signing.get().trustAnchor]) ?? []
  }

  var verifier: SignedDataVerifier {
    get throws {
      try SignedDataVerifier(
        apps: [App(bundleID: appStore.bundleID, appAppleID: appStore.appAppleID)],
        environments: [.production, .sandbox], trustAnchors: Self.trustAnchors,
        now: { [appStore] in appStore.now })
    }
  }

  /// The client of the App Store Server API.
  var server: AppStoreServerClient {
    get throws {
      let key = appStore.serverAPIKey
      var configuration = AppStoreServerClient.Configuration()
      configuration.now = { [appStore] in appStore.now }
      return try AppStoreServerClient(
        key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
        bundleID: appStore.bundleID, verifier: verifier, transport: appStore,
        configuration: configuration)
    }
  }

  /// The client of verifyReceipt.
  func receipts(_ preset: VerifyReceiptClient.Configuration) throws -> VerifyReceiptClient {
    var configuration = preset
    configuration.clock = appStore.clock
    configuration.now = { [appStore] in appStore.now }
    return try VerifyReceiptClient(
      transport: appStore, bundleIDs: [appStore.bundleID], sharedSecret: appStore.sharedSecret,
      configuration: configuration)
  }
}

/// A simulated Play store, and a host's client.
struct SimulatedPlayStore {
  let play: PlayStoreSimulator

  init(
    _ packageName: String, subscriptions: [String] = [], oneTime: [String] = [],
    start: Date = Date()
  ) throws {
    play = try PlayStoreSimulator(
      packageName: packageName,
      products: subscriptions.map { id in
        PlayProduct(id, .subscription([PlayBasePlan("monthly", period: .days(30))]))
      } + oneTime.map { PlayProduct($0, .oneTime) }
    ) { $0.start = start }
  }

  var client: GooglePlayClient {
    get throws {
      let account = try GoogleServiceAccount(keyFile: play.serviceAccount.keyFile)
      var configuration = GooglePlayClient.Configuration()
      configuration.now = { [play] in play.now }
      return try GooglePlayClient(
        packageName: play.packageName,
        tokens: AccessTokenSource(
          account: account, transport: play, now: { [play] in play.now }),
        transport: play, configuration: configuration)
    }
  }
}
