public import HTTPMessages
internal import JSONValues
internal import StorekeeperLocks
public import ReceiptModels
internal import ReceiptVerifier
internal import StorekeeperTesting

/// The apps of one developer at an App Store in memory, with customers that they have in common.
///
/// Each app is an ``AppStoreSimulator``, so that a receipt holds the purchases in one app, and a transaction
/// is known to one app. All apps have the same authorities, the same key for the server APIs and one clock,
/// and no two transactions have the same number.
///
/// ```swift
/// let developer = try TestDeveloper(apps: [
///   TestApp("com.example.draw", products: [TestProduct("com.example.draw.frames", .nonConsumable)]),
///   TestApp("com.example.paint", products: []),
/// ])
/// let purchase = try developer["com.example.draw"]?.buy("com.example.draw.frames", by: "alice")
/// ```
///
/// As a transport it hands a request about a receipt to the app of the receipt, and a request to the server
/// APIs to the app that its token names, which is refused if there is none.
public struct TestDeveloper: HTTPTransport {
  /// The apps, in the order in which they were given.
  public let apps: [AppStoreSimulator]

  /// Creates the apps of a developer, without purchases.
  ///
  /// - Parameters:
  ///   - apps: The apps, at least one.
  ///   - environment: Production or the Sandbox, for all apps.
  ///   - change: A closure that changes the options, which hold for all apps; by default it changes
  ///     nothing.
  /// - Throws: ``SimulatorFailure/noApps``, ``SimulatorFailure/environmentNotServed(_:)``, an error of
  ///   `change`, or an error of OpenSSL if no certificates can be made.
  public init(
    apps: [TestApp], environment: AppStoreEnvironment = .production,
    _ change: (inout AppStoreSimulator.Options) throws -> Void = { _ in }
  ) throws {
    guard !apps.isEmpty else { throw SimulatorFailure.noApps }
    var shared = AppStoreSimulator.Options()
    try change(&shared)
    shared.authority = try shared.authority ?? TestAuthority.forReceipts()
    shared.signedDataAuthority = try shared.signedDataAuthority ?? TestAuthority.forSignedData()
    shared.serverAPIKey = try shared.serverAPIKey ?? TestServerAPIKey()
    let options = shared
    let lastID =
      options.lastTransactionID ?? AppStoreSimulator.lastTransactionID(before: environment)
    self.apps = try zip(0..., apps).map { number, app in
      let appStore = try AppStoreSimulator(
        bundleID: app.bundleID, environment: environment, products: app.products,
        appAppleID: app.appAppleID ?? 1_234_567_890 + number
      ) {
        $0 = options
        $0.lastTransactionID = lastID + number
      }
      // The numbers of the apps alternate, so that they never meet.
      appStore.state.withLock { $0.store.numberStep = apps.count }
      return appStore
    }
  }

  /// The App Store of an app, or nil if the developer has no such app.
  public subscript(bundleID: String) -> AppStoreSimulator? {
    apps.first { $0.bundleID.isSameText(as: bundleID) }
  }

  /// Answers a request as Apple does for the app that it is about.
  ///
  /// As ``AppStoreSimulator/send(_:)``.
  public func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    try await appStore(for: request).send(request)
  }

  /// Returns the App Store of the app that a request is about; that of the first app refuses what is about
  /// none.
  private func appStore(for request: HTTPRequestMessage) -> AppStoreSimulator {
    let bundleID =
      ServerAPITarget(url: request.url) == nil
      ? receiptBundleID(request.body)
      : request.headers[.authorization].flatMap(BearerToken.init)?.bundleID
    return bundleID.flatMap { self[$0] } ?? apps[0]
  }

  private func receiptBundleID(_ body: [UInt8]) -> String? {
    guard let json = try? JSONValue(parsing: body),
      let question = try? VerifyReceiptRequest(json: json)
    else { return nil }
    return try? apps[0].verifier.verify(base64: question.receiptData).receipt.bundleID
  }
}
