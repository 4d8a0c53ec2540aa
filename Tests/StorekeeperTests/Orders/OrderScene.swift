import Foundation
import InMemoryStorage
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// A host that sells two levels, with answers of Apple that a test writes.
struct OrderScene: Sendable {
  static let start = Date(timeIntervalSince1970: 1_780_000_000)
  static let bundleID = "com.example.snips"
  static let basic = SubscriptionLevel(
    name: "Basic", description: "Two portfolios", quota: 2, fee: "4.99",
    appleProductID: "com.example.snips.basic", googleProductID: "basic_monthly")
  static let pro = SubscriptionLevel(
    name: "Pro", description: "Ten portfolios", quota: 10, fee: "9.99",
    appleProductID: "com.example.snips.pro", googleProductID: "pro_monthly")
  /// Base64, as a receipt is; the answers are written by the tests.
  static let receipt = "MIIreceipt00"

  let store: any PurchaseStore
  let transport = ScriptedTransport()
  let accounts = InMemoryAccountDirectory()
  let clock = ManualClock()
  let incidents = Incidents()
  let time = SharedTime(Self.start)

  init() async throws {
    store = try await StoreScope.emptyStore()
    let levels = try SubscriptionLevels([Self.pro, Self.basic])
    try await store.write { try await $0.levels.replace(with: levels) }
  }

  var now: Date { time.now }

  func pass(_ seconds: Double) { time.now += seconds }

  func service(
    environments: Set<AppStoreEnvironment> = [.production, .sandbox],
    _ change: (inout OrderOptions) -> Void = { _ in }
  ) throws -> OrderService {
    try service(vendors: [AppleVendor(receipts: client(environments: environments))], change)
  }

  func service(
    vendors: [any PurchaseVendor], _ change: (inout OrderOptions) -> Void = { _ in }
  ) throws -> OrderService {
    var options = OrderOptions()
    change(&options)
    let time = time
    return try OrderService(
      PurchaseContext(
        store: store, accounts: accounts, now: { time.now },
        report: { [incidents] in incidents.add($0) }), vendors: vendors, options: options,
      clock: clock)
  }

  func client(environments: Set<AppStoreEnvironment>) throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration.orderService
    configuration.environments = environments
    configuration.fallbacks = environments.contains(.sandbox) ? [.sandbox] : []
    configuration.retries.attempts = 1
    // A pause that Apple asks for is as long on a busy machine.
    let now = now
    configuration.now = { now }
    return try VerifyReceiptClient(
      transport: transport, bundleIDs: [Self.bundleID], sharedSecret: AppSharedSecret("secret"),
      configuration: configuration)
  }

  // MARK: Answers of Apple

  /// Scripts the answer to the next question, and to all after it.
  func answer(_ entries: Entry..., latest: String? = "bGF0ZXN0") {
    answer(
      """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"\(Self.bundleID)",\
      "receipt_type":"Production"},"latest_receipt_info":[\(entries.map(\.json).joined(separator: ","))]\
      \(latest.map { #","latest_receipt":"\#($0)""# } ?? "")}
      """)
  }

  func answer(_ body: String, from server: VerifyReceiptServer = .production) {
    transport.replace(server.url, ScriptedTransport.body(body))
  }

  /// Scripts a receipt of the Sandbox, of which Production says so.
  func answerInSandbox(_ entry: Entry) {
    answer(status: 21007)
    answer(
      """
      {"status":0,"environment":"Sandbox","receipt":{"bundle_id":"\(Self.bundleID)",\
      "receipt_type":"ProductionSandbox"},"latest_receipt_info":[\(entry.json)]}
      """, from: .sandbox)
  }

  func answer(status: Int) { answer(#"{"status":\#(status)}"#) }

  /// An entry of `latest_receipt_info`; ends are in seconds from the start.
  struct Entry {
    var product = "com.example.snips.pro"
    var original = "1000000000000001"
    var ends: Double
    var cancelled: Double?
    var begins: Double?
    /// The identifier of the charge; nil for that of the first one.
    var charge: String?
    var isUpgraded = false

    var json: String {
      let cancellation = cancelled.map {
        #","cancellation_date_ms":"\#(Self.milliseconds($0))""#
      }
      let purchase = begins.map { #","purchase_date_ms":"\#(Self.milliseconds($0))""# }
      return """
        {"product_id":"\(product)","transaction_id":"\(charge ?? original)",\
        "original_transaction_id":"\(original)","expires_date_ms":"\(Self.milliseconds(ends))"\
        \(cancellation ?? "")\(purchase ?? "")\(isUpgraded ? #","is_upgraded":"true""# : "")}
        """
    }

    private static func milliseconds(_ seconds: Double) -> Int {
      Int((OrderScene.start.timeIntervalSince1970 + seconds) * 1000)
    }
  }

  // MARK: Users

  func order(
    by userID: AccountID = "u-1", vendor: Vendor = .apple, _ receiptData: String = Self.receipt
  ) -> SubscriptionOrder {
    SubscriptionOrder(userID: userID, vendor: vendor, receiptData: receiptData)
  }

  func row(of userID: AccountID = "u-1") async throws -> OrderedSubscription? {
    try await store.read { try await $0.orderedSubscriptions.find(userID) }
  }

  func owner(of purchase: PurchaseKey) async throws -> AccountID? {
    try await store.read { try await $0.subscriptionClaims.owners(of: [purchase])[0] }
  }
}

extension PurchaseKey {
  static func apple(
    _ id: String, in environment: AppStoreEnvironment = .production
  ) -> PurchaseKey {
    PurchaseKey(vendor: .apple, environment: environment, identifier: id)
  }

  static func google(_ id: String) -> PurchaseKey {
    PurchaseKey(vendor: .google, environment: .production, identifier: id)
  }
}

/// A date that a test moves.
final class SharedTime: Sendable {
  private let date: Locked<Date>

  init(_ date: Date) { self.date = Locked(date) }

  var now: Date {
    get { date.withLock { $0 } }
    set { date.withLock { $0 = newValue } }
  }
}

/// A vendor whose answers a test gives.
struct StubVendor: PurchaseVendor {
  let vendor: Vendor
  let answer: @Sendable (String, VendorCheckPurpose) async -> VendorAnswer

  init(
    _ vendor: Vendor = .google,
    _ answer: @escaping @Sendable (String, VendorCheckPurpose) async -> VendorAnswer
  ) {
    self.vendor = vendor
    self.answer = answer
  }

  func check(
    _ receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorAnswer {
    await answer(receiptData, purpose)
  }
}
