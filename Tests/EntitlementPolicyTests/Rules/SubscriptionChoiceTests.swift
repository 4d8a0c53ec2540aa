import EntitlementPolicy
import ReceiptModels
import Testing

@Suite("The subscription that counts")
struct SubscriptionChoiceTests {
  static let paint = "com.example.paint"

  private static func options(
    _ apps: [String] = [paint]
  ) throws -> EntitlementOptions {
    try EntitlementOptions(
      multiApp: MultiAppSubscriptions(bundledApplicationIDs: apps, marker: ".multiApp."))
  }

  private static func marked(
    ends day: Double, cancelled: Double? = nil, of bundleID: String = paint,
    id: String = "2000000000000009"
  ) -> SubscriptionCandidate {
    .monthly("multiApp.monthly", ends: day, cancelled: cancelled, of: bundleID, id: id)
  }

  /// A row of section 6.2: the subscriptions of this app, those of others, the app and the state of the one
  /// that counts.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var own: [SubscriptionCandidate] = []
    var others: [SubscriptionCandidate] = []
    var day = 0.0
    let app: String?
    var isActive = true
  }

  static let rows: [Row] = [
    Row(
      testDescription: "the later end", own: [.monthly(ends: 90)], others: [marked(ends: 120)],
      app: paint),
    Row(
      testDescription: "an active one in grace before an inactive one with a later end",
      own: [.monthly(ends: 100, in: .sandbox)], others: [marked(ends: 95)], day: 100, app: paint),
    Row(
      testDescription: "of two cancelled ones, the later cancellation",
      own: [.monthly(ends: 200, cancelled: 80)], others: [marked(ends: 300, cancelled: 70)],
      app: DrawApp.bundleID, isActive: false),
    Row(
      testDescription: "of two with one end, that of this app", own: [.monthly(ends: 90)],
      others: [marked(ends: 90)], app: DrawApp.bundleID),
    Row(
      testDescription: "not one of another app without the marker", own: [.monthly(ends: -30)],
      others: [.monthly("pro.monthly", ends: 90, of: paint)], app: DrawApp.bundleID,
      isActive: false),
    Row(
      testDescription: "of two apps, the smaller bundle ID",
      others: [marked(ends: 90, of: "a.y"), marked(ends: 90, of: "a.x")], app: "a.x"),
    Row(
      testDescription: "none if nothing is marked",
      others: [.monthly("pro.monthly", ends: 90, of: paint)], app: nil, isActive: false),
    Row(
      testDescription: "none of an app that is not bundled",
      others: [marked(ends: 90, of: "com.example.other")], app: nil, isActive: false),
  ]

  @Test("follows the table, in every order (row 24)", arguments: rows)
  func table(_ row: Row) throws {
    let apps = Dictionary(grouping: row.others, by: \.bundleID).map {
      AppPurchases(bundleID: $0.key, subscriptions: $0.value)
    }
    let user = DrawUser(
      subscriptions: row.own, bundled: apps, options: try Self.options([Self.paint, "a.x", "a.y"]))
    for user in user.orders {
      let answer = try user.entitlements(day: row.day)
      #expect(answer.subscription?.subscription.bundleID == row.app)
      #expect(answer.isSubscriber == row.isActive)
    }
  }

  @Test("among equals, the shorter and smaller original transaction ID, then Production")
  func ties() throws {
    let candidates: [SubscriptionCandidate] = [
      .monthly(ends: 300, cancelled: 20, id: "1"),
      .monthly(ends: 20, grace: 27, in: .sandbox, id: "99"), .monthly(ends: 20, id: "99"),
      .monthly(ends: 20, id: "100"), .monthly(ends: 20, id: "101"),
    ]
    for user in DrawUser(subscriptions: candidates).orders {
      let chosen = try user.entitlements(day: 0).subscription?.subscription
      #expect(chosen?.originalTransactionID == "99")
      #expect(chosen?.environment == .production)
    }
  }

  @Test("an unlisted subscription of a bundled app unlocks everything (row 26)")
  func unlisted() throws {
    let user = DrawUser(
      bundled: [AppPurchases(bundleID: Self.paint, subscriptions: [Self.marked(ends: 20)])],
      acquired: ["brushes"], options: try Self.options())
    let answer = try user.entitlements(day: 0)
    #expect(answer.allowedProducts == DrawApp.ids("brushes"))
    #expect(answer.isSubscriptionUnlisted)
    #expect(
      answer.acquisitionOfAll()
        == .acquire(
          DrawApp.ids("frames", "frames.gold", "paper"), via: "com.example.paint.multiApp.monthly"))
  }

  @Test("without settings for several apps, only this app's subscriptions count")
  func alone() throws {
    let user = DrawUser(
      bundled: [AppPurchases(bundleID: Self.paint, subscriptions: [Self.marked(ends: 20)])])
    #expect(try user.entitlements(day: 0).subscription == nil)
  }

  @Test("purchases and acquired products never cross apps")
  func products() throws {
    let user = DrawUser(
      bundled: [
        AppPurchases(
          bundleID: Self.paint, productIDs: ["com.example.paint.oil"],
          subscriptions: [Self.marked(ends: 20)])
      ], options: try Self.options())
    #expect(try user.entitlements(day: 0).purchasedProducts.isEmpty)
    #expect(try user.entitlements(day: 0).allowedProducts.isEmpty)
  }

  @Test("the marker is part of the identifier, or one of its pieces (row 25)")
  func markers() throws {
    func marks(_ marker: String, _ strategy: MultiAppSubscriptions.Strategy, _ id: String) throws
      -> Bool
    {
      try MultiAppSubscriptions(bundledApplicationIDs: [], marker: marker, strategy: strategy)
        .marks(id)
    }
    let id = "com.example.x.multiApp.y"
    #expect(try marks(".multiApp.", .substring, id))
    #expect(try marks("multiApp", .attribute, id))
    #expect(try marks("multiApp", .attribute, "com_multiApp"))
    #expect(try !marks("multi", .attribute, id))
    #expect(try marks("multi", .substring, id))
    #expect(try !marks(".multiapp.", .substring, id))
    #expect(try !marks("multiApps", .substring, "multiApp"))
    for marker in [".multiApp.", "multi_App"] {
      #expect(throws: EntitlementOptionsFailure.markerHasSeparator) {
        try marks(marker, .attribute, id)
      }
    }
    for strategy in MultiAppSubscriptions.Strategy.allCases {
      #expect(throws: EntitlementOptionsFailure.markerEmpty) { try marks("", strategy, id) }
    }
  }

  @Test("for another app that asks, neither a marker nor a list matters (row 27)")
  func shared() {
    func answer(_ subscriptions: [SubscriptionCandidate]) -> SubscriberAnswer {
      SubscriberAnswer(
        of: AppPurchases(bundleID: Self.paint, subscriptions: subscriptions),
        validation: AppValidation(bundleID: Self.paint, validatedDate: .day(-1)), at: .day(0))
    }
    func failed(on day: Double) -> SubscriptionCandidate {
      .monthly("pro.monthly", ends: 20, of: Self.paint, failedOn: day)
    }
    let unmarked = SubscriptionCandidate.monthly("pro.monthly", ends: 20, of: Self.paint)
    #expect(answer([unmarked]).isSubscriber)
    #expect(answer([unmarked]).validatedDate == .day(-1))
    #expect(answer([failed(on: -13)]).isSubscriber)
    #expect(!answer([failed(on: -14)]).isSubscriber)
    #expect(!answer([]).isSubscriber)
    #expect(!answer([.monthly(ends: -8, of: Self.paint)]).isSubscriber)
  }
}
