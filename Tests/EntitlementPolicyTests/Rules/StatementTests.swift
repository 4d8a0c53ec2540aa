import EntitlementPolicy
import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Statements for devices without a network")
struct StatementTests {
  /// The statement about a user at the beginning of a day, or at a moment of it.
  private func statement(
    _ user: DrawUser, day: Double, fitting limit: Int = 610, id: AccountID = "u-1",
    options: StatementOptions = .standard
  ) throws -> EntitlementStatement {
    try EntitlementStatement(
      of: user.entitlements(day: day), for: id, fitting: limit, options: options)
  }

  /// A user with a subscription that ends on day 100 and is in grace until day 107.
  private let subscriber = DrawUser(
    purchased: ["paper"], subscriptions: [.monthly(ends: 100)],
    acquired: ["brushes", "frames", "paper"])

  // MARK: Claims

  @Test("a statement has these claims, and no others")
  func claims() throws {
    let statement = try statement(subscriber, day: 90)
    let made = 1_777_334_400 + 90 * 86_400
    let end = made + 17 * 86_400
    #expect(
      statement.json
        == .object([
          "sub": .string("u-1"), "aud": .string("com.example.draw"),
          "env": .array([.string("Production")]),
          "subscription": .object([
            "id": .string("com.example.draw.full.monthly"), "end": .integer(end),
          ]),
          "products": .array([
            .object(["id": .string("com.example.draw.brushes"), "end": .integer(end)]),
            .object(["id": .string("com.example.draw.frames"), "end": .integer(end)]),
            .object(["id": .string("com.example.draw.paper")]),
          ]),
          "complete": .boolean(true), "iat": .integer(made), "exp": .integer(made + 86_400),
          "ask": .integer(made + 21_600), "counter": .integer(made * 1000),
        ]))
  }

  @Test("of a user who has nothing, it lists nothing and is complete")
  func nothing() throws {
    let statement = try statement(DrawUser(), day: 90)
    #expect(statement.json["subscription"] == nil)
    #expect(statement.json["products"] == .array([]))
    #expect(statement.json["env"] == .array([]))
    #expect(statement.json["complete"] == .boolean(true))
    #expect(statement.endDate == .day(91))
  }

  @Test("a subscription that is over is not listed, nor what was acquired through it")
  func lapsed() throws {
    let statement = try statement(subscriber, day: 107)
    #expect(statement.subscription == nil)
    #expect(statement.products.map(\.productID) == DrawApp.ids("paper"))
  }

  @Test("while nobody learns the state of a subscription, it is over before that is suspended")
  func suspension() throws {
    // Apple could not be asked since day 80, so that the subscription is suspended from day 94 on.
    let unknown = SubscriptionCandidate.monthly(ends: 100, failedOn: 80)
    let user = DrawUser(purchased: ["paper"], subscriptions: [unknown], acquired: ["brushes"])
    let month = try StatementOptions(life: .seconds(30 * 86_400))
    #expect(try statement(user, day: 90, options: month).endDate == .day(94))
    #expect(try statement(user, day: 93.5).endDate == .day(94))
    #expect(try statement(user, day: 92).endDate == .day(93))
    // What was bought is never suspended, and after that the statement says only that.
    let suspended = try statement(user, day: 94, options: month)
    #expect(suspended.subscription == nil)
    #expect(suspended.products.map(\.productID) == DrawApp.ids("paper"))
    #expect(suspended.endDate == .day(124))
  }

  @Test("the moment is the counter in milliseconds, and seconds are rounded down")
  func rounding() throws {
    let statement = try statement(subscriber, day: 90 + 0.9876 / 86_400)
    let made = 1_777_334_400 + 90 * 86_400
    #expect([987, 988].contains(statement.counter - made * 1000))
    #expect(statement.json["iat"] == .integer(made))
    #expect(statement.json["exp"] == .integer(made + 86_400))
  }

  @Test("it names the environments in which what it lists was bought, Production before others")
  func environments() throws {
    let both = Holdings(
      purchases: AppPurchases(
        bundleID: DrawApp.bundleID,
        products: [
          PurchasedProduct(productID: DrawApp.id("frames"), environment: .sandbox),
          PurchasedProduct(productID: DrawApp.id("paper"), environment: .sandbox),
          PurchasedProduct(productID: DrawApp.id("paper"), environment: .production),
        ]))
    func environments(_ counted: CountedEnvironments) throws -> [AppStoreEnvironment] {
      try EntitlementStatement(
        of: Entitlements(
          of: both, catalog: try DrawApp.catalog(),
          options: EntitlementOptions(environments: counted), at: .day(1)), for: "u-1", fitting: 610
      ).environments
    }
    #expect(try environments(.all) == [.production, .sandbox])
    #expect(try environments([.production]) == [.production])
    #expect(try environments([.sandbox]) == [.sandbox])
    let tester = DrawUser(
      subscriptions: [.monthly(ends: 100, in: .sandbox)], acquired: ["brushes"])
    #expect(try statement(tester, day: 99).environments == [.sandbox])
  }

  // MARK: Ends

  @Test(
    "it counts for its life, but not beyond the earliest end that it lists",
    arguments: [(90.0, 91.0), (106.0, 107.0), (106.25, 107.0), (106.75, 107.0), (107.0, 108.0)])
  func end(day: Double, end: Double) throws {
    let statement = try statement(subscriber, day: day)
    #expect(statement.endDate == .day(end))
    #expect(statement.refreshDate == min(.day(day + 0.25), .day(end)))
  }

  @Test("life and the time until the next question are settings")
  func settings() throws {
    let week = try StatementOptions(life: .days(7))
    let statement = try statement(subscriber, day: 90, options: week)
    #expect(statement.endDate == .day(97))
    #expect(statement.refreshDate == .day(91.75))
    let minute = try StatementOptions(life: .seconds(60), refresh: .seconds(10))
    let short = try self.statement(subscriber, day: 90, options: minute)
    #expect(short.endDate == .day(90) + 60)
    #expect(short.refreshDate == .day(90) + 10)
    #expect(throws: StatementOptionsFailure.lifeOutOfRange) {
      try StatementOptions(life: .seconds(59))
    }
    #expect(throws: StatementOptionsFailure.lifeOutOfRange) {
      try StatementOptions(life: .days(61))
    }
    #expect(throws: StatementOptionsFailure.refreshOutOfRange) {
      try StatementOptions(refresh: .days(2))
    }
    #expect(throws: StatementOptionsFailure.refreshOutOfRange) {
      try StatementOptions(refresh: .zero)
    }
  }

  @Test("what was bought has no end, also if the subscription unlocks it")
  func bought() throws {
    let allowances = try subscriber.entitlements(day: 90).allowances
    #expect(allowances.map(\.productID) == DrawApp.ids("brushes", "frames", "paper"))
    #expect(allowances.map(\.endDate) == [.day(107), .day(107), nil])
  }

  @Test("after a refund the next statement lists nothing of it")
  func refund() throws {
    var user = subscriber
    user.subscriptions = [.monthly(ends: 100, cancelled: 91)]
    let statement = try statement(user, day: 91)
    #expect(statement.subscription == nil)
    #expect(statement.products.map(\.productID) == DrawApp.ids("paper"))
  }

  // MARK: Size

  @Test("where not all fits, the subscription comes first, then products in their order")
  func size() throws {
    let whole = try statement(subscriber, day: 90)
    let full = whole.json.serialized.count
    #expect(try statement(subscriber, day: 90, fitting: full) == whole)
    var products = [3]
    var wasListed = true
    for limit in (153..<full).reversed() {
      let part = try statement(subscriber, day: 90, fitting: limit)
      #expect(part.json.serialized.count <= limit)
      #expect(part.json["complete"] == .boolean(false))
      #expect(part.products == Array(whole.products.prefix(part.products.count)))
      if products.last != part.products.count { products.append(part.products.count) }
      #expect(wasListed || part.subscription == nil)
      #expect(part.subscription != nil || part.products.isEmpty)
      wasListed = part.subscription != nil
    }
    #expect(products == [3, 2, 1, 0])
    #expect(!wasListed)
  }

  @Test("what it leaves out does not shorten it")
  func leftOut() throws {
    let user = DrawUser(subscriptions: [.monthly(ends: 90)])
    let bare = try statement(user, day: 96.9, fitting: 153)
    #expect(bare.subscription == nil)
    #expect(bare.environments.isEmpty)
    #expect(bare.endDate == .day(97.9).rounded)
    #expect(try statement(user, day: 96.9).endDate == .day(97))
  }

  @Test("identifiers that leave no room are refused; quotation marks have two bytes")
  func tooLarge() throws {
    let quotes = try AccountID(opaque: String(repeating: "\"", count: 128))
    #expect(try statement(subscriber, day: 90, id: quotes).userID == quotes)
    let controls = try AccountID(opaque: String(repeating: "\u{1}", count: 128))
    #expect(throws: StatementFailure.tooLarge) { try statement(subscriber, day: 90, id: controls) }
  }
}

extension Date {
  fileprivate var rounded: Date {
    Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
  }
}
