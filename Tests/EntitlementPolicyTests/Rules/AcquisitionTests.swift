import EntitlementPolicy
import Testing

@Suite("Acquired products and routes to products")
struct AcquisitionTests {
  static let full = DrawUser(subscriptions: [.monthly(ends: 20)])
  static let lite = DrawUser(subscriptions: [.monthly("lite.monthly", ends: 20)])
  static let via = DrawApp.id("full.monthly")

  private func acquisition(of name: String, by user: DrawUser) throws -> Acquisition {
    try user.entitlements(day: 0).acquisition(of: DrawApp.id(name))
  }

  private func route(to name: String, of user: DrawUser) throws -> PurchaseRoute {
    try user.entitlements(day: 0).purchaseRoute(of: DrawApp.id(name))
  }

  @Test("a subscription acquires what it unlocks (rows 8 to 11)")
  func acquire() throws {
    #expect(
      try acquisition(of: "brushes", by: Self.full)
        == .acquire(DrawApp.ids("brushes"), via: Self.via))
    #expect(try acquisition(of: "brushes", by: DrawUser()) == .refused(.notSubscriber))
    #expect(try acquisition(of: "brushes", by: Self.lite) == .refused(.notUnlocked))
    #expect(try acquisition(of: "full.monthly", by: Self.full) == .refused(.notAcquirable))
    #expect(try acquisition(of: "coins", by: Self.full) == .refused(.notAcquirable))
    #expect(try acquisition(of: "nope", by: Self.full) == .refused(.unknownProduct))
  }

  @Test("what the user has already is a success without a subscription")
  func held() throws {
    #expect(try acquisition(of: "brushes", by: DrawUser(acquired: ["brushes"])) == .alreadyHeld)
    #expect(try acquisition(of: "frames", by: DrawUser(purchased: ["frames"])) == .alreadyHeld)
    // In the order of the rules: unknown and not acquirable come first.
    #expect(
      try acquisition(of: "coins", by: DrawUser(purchased: ["coins"])) == .refused(.notAcquirable))
    #expect(
      try acquisition(of: "nope", by: DrawUser(purchased: ["nope"])) == .refused(.unknownProduct))
  }

  @Test(
    "acquiring all follows the entries of the subscription (rows 12 and 30)",
    arguments: [
      ("[]", []), (#"["com.example.draw.frames"]"#, ["frames"]),
      (#"["com.example.draw.frames.*"]"#, ["frames.gold"]),
      (#"["com.example.draw.frames*"]"#, ["frames", "frames.gold"]),
      (#"["*"]"#, ["brushes", "frames", "frames.gold", "paper"]),
      ("null", ["brushes", "frames", "frames.gold", "paper"]),
    ])
  func all(_ unlocks: String, _ names: [String]) throws {
    var user = Self.full
    user.unlocks = unlocks
    let acquired = names.map(DrawApp.id)
    #expect(
      try user.entitlements(day: 0).acquisitionOfAll() == .acquire(acquired, via: Self.via))
    user.acquired = names
    #expect(try user.entitlements(day: 0).acquisitionOfAll() == .acquire([], via: Self.via))
  }

  @Test("acquiring all needs a subscription, and includes what was bought")
  func allOfBuyer() throws {
    #expect(try DrawUser().entitlements(day: 0).acquisitionOfAll() == .refused(.notSubscriber))
    var user = Self.full
    user.purchased = ["frames"]
    user.acquired = ["paper"]
    #expect(
      try user.entitlements(day: 0).acquisitionOfAll()
        == .acquire(DrawApp.ids("brushes", "frames", "frames.gold"), via: Self.via))
  }

  @Test("routes without a subscription (row 18)")
  func routesOfStranger() throws {
    let user = DrawUser()
    #expect(try route(to: "frames", of: user) == .storePurchase)
    #expect(try route(to: "brushes", of: user) == .refused(.notSubscriber))
    #expect(try route(to: "coins", of: user) == .storePurchase)
    #expect(try route(to: "full.monthly", of: user) == .storePurchase)
    #expect(try route(to: "nope", of: user) == .refused(.unknownProduct))
  }

  @Test("routes with a subscription (row 19)")
  func routesOfSubscriber() throws {
    #expect(try route(to: "frames", of: Self.full) == .acquire)
    #expect(try route(to: "brushes", of: Self.full) == .acquire)
    #expect(try route(to: "lite.monthly", of: Self.full) == .storePurchase)
    #expect(try route(to: "coins", of: Self.full) == .storePurchase)
    #expect(try route(to: "brushes", of: Self.lite) == .refused(.notUnlocked))
    #expect(try route(to: "frames.gold", of: Self.lite) == .acquire)
  }

  @Test(
    "subscriptions and consumable products for subscribers only are never sold",
    arguments: ["consumable", "renewableSubscription", "nonRenewingSubscription"])
  func neverSold(_ type: String) throws {
    let list = """
      [{"identifier": "x", "productType": "\(type)", "isSubscribersOnly": true},
       {"identifier": "s", "productType": "renewableSubscription"}]
      """
    let catalog = try ProductCatalog(json: Array(list.utf8))
    for subscriptions in [[], [SubscriptionCandidate.monthly(ends: 20)]] {
      let holdings = Holdings(
        purchases: AppPurchases(bundleID: "b", subscriptions: subscriptions))
      let answer = Entitlements(of: holdings, catalog: catalog, at: .day(0))
      #expect(answer.purchaseRoute(of: "x") == .refused(.neverSold))
    }
  }
}
