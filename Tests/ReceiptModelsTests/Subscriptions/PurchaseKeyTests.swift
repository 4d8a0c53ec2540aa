import ReceiptModels
import Testing

@Suite("Keys of purchases")
struct PurchaseKeyTests {
  private static func key(
    _ id: String, _ vendor: Vendor = .apple, in environment: AppStoreEnvironment = .production
  ) -> PurchaseKey {
    PurchaseKey(vendor: vendor, environment: environment, identifier: id)
  }

  @Test(
    "an original transaction ID and a key stand for each other",
    arguments: [
      ("1000000000000001", key("1000000000000001")), ("0a", key("0a")),
      ("google:0a", key("0a", .google)), ("google:", key("", .google)),
      ("google:\u{301}a", key("\u{301}a", .google)), ("Google:0a", key("Google:0a")),
    ])
  func originalTransactionID(id: String, key: PurchaseKey) {
    let made = PurchaseKey(originalTransactionID: id, environment: .production)
    #expect(made == key)
    #expect(made.originalTransactionID.map { Array($0.utf8) } == Array(id.utf8))
  }

  @Test("records know no purchase of a further vendor")
  func furtherVendor() {
    #expect(Self.key("1", Vendor(rawValue: "acme")).originalTransactionID == nil)
  }

  @Test("keys are of one purchase by vendor and identifier, and at Apple by the environment too")
  func equality() {
    let keys = [
      Self.key("1"), Self.key("1", in: .sandbox), Self.key("2"), Self.key("1", .google),
      Self.key("1", Vendor(rawValue: "acme")), Self.key("e\u{301}"), Self.key("\u{E9}"),
    ]
    #expect(Set(keys).count == keys.count)
    for vendor in [Vendor.google, Vendor(rawValue: "acme")] {
      #expect(Self.key("1", vendor) == Self.key("1", vendor, in: .sandbox))
      #expect(Set([Self.key("1", vendor), Self.key("1", vendor, in: .sandbox)]).count == 1)
    }
  }
}
