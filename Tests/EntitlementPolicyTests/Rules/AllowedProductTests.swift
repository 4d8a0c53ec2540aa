import EntitlementPolicy
import ReceiptModels
import Testing

@Suite("Products that a user may use")
struct AllowedProductTests {
  /// A row of the acceptance matrix: what a user has, the day, and what the user may use.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let user: DrawUser
    let day: Double
    let allowed: [String]

    init(_ description: String, _ user: DrawUser, day: Double = 0, allowed: String...) {
      testDescription = description
      self.user = user
      self.day = day
      self.allowed = allowed.map(DrawApp.id)
    }
  }

  static let full = SubscriptionCandidate.monthly(ends: 20)
  static let lite = SubscriptionCandidate.monthly("lite.monthly", ends: 20)
  static let all = ["brushes", "frames", "frames.gold", "paper"]

  static let rows: [Row] = [
    Row("7: a new user has nothing", DrawUser()),
    Row("7: a subscription alone allows nothing", DrawUser(subscriptions: [full])),
    Row(
      "7: of the acquired products, the subscription allows those that it unlocks",
      DrawUser(subscriptions: [lite], acquired: ["brushes", "paper"]), allowed: "paper"),
    Row(
      "8: a discount unlocks what its full-price product does",
      DrawUser(
        subscriptions: [.monthly("full25.monthly", ends: 20)], acquired: ["brushes"],
        unlocks: #"["com.example.draw.b*"]"#),
      allowed: "brushes"),
    Row(
      "13: a change to a smaller plan hides what that does not unlock",
      DrawUser(subscriptions: [lite], acquired: all), allowed: "frames", "frames.gold", "paper"),
    Row(
      "14: the end of the subscription hides everything",
      DrawUser(subscriptions: [full], acquired: all), day: 27),
    Row(
      "14: a later subscription shows it again",
      DrawUser(
        subscriptions: [full, .monthly(ends: 60, id: "2000000000000002")], acquired: all), day: 40,
      allowed: "brushes", "frames", "frames.gold", "paper"),
    Row(
      "16: a cancelled subscription ends at once",
      DrawUser(subscriptions: [.monthly(ends: 20, cancelled: 0)], acquired: all)),
    Row(
      "17: a bought product needs no subscription", DrawUser(purchased: ["frames"]),
      allowed: "frames"),
    Row(
      "a bought product that is not listed is allowed",
      DrawUser(purchased: ["stickers"]), allowed: "stickers"),
    Row(
      "an acquired product that is not listed is not",
      DrawUser(subscriptions: [full], acquired: ["stickers"])),
    Row(
      "subscriptions and consumable products are never allowed, even if they were acquired",
      DrawUser(subscriptions: [full], acquired: ["coins", "lite.monthly"])),
    Row(
      "a product that was bought and acquired is there once",
      DrawUser(purchased: ["paper"], subscriptions: [full], acquired: ["paper"]),
      allowed: "paper"),
  ]

  @Test("follow the acceptance matrix, in every order of what is stored", arguments: rows)
  func matrix(_ row: Row) throws {
    for user in row.user.orders {
      #expect(try user.entitlements(day: row.day).allowedProducts == row.allowed)
    }
  }

  @Test("the acquired products stay while the plan is smaller (row 13)")
  func acquired() throws {
    let user = DrawUser(subscriptions: [Self.lite], acquired: Self.all.reversed())
    #expect(try user.entitlements(day: 0).acquiredProducts == DrawApp.unlockable)
  }

  @Test("bought products that are not listed are named")
  func unknown() throws {
    let answer = try DrawUser(purchased: ["stickers", "frames"]).entitlements(day: 0)
    #expect(answer.purchasedProducts == DrawApp.ids("frames", "stickers"))
    #expect(answer.unknownProducts == DrawApp.ids("stickers"))
  }

  @Test("identifiers that look the same, but have other bytes, are two products")
  func bytes() throws {
    var user = DrawUser(subscriptions: [Self.full])
    user.purchased = ["e\u{301}", "é"]
    let allowed = try user.entitlements(day: 0).allowedProducts
    #expect(allowed.count == 2)
    #expect(allowed.first?.utf8.elementsEqual(DrawApp.id("e\u{301}").utf8) == true)
  }
}
