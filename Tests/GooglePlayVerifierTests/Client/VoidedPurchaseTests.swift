import Foundation
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite("Voided purchases")
struct VoidedPurchaseTests {
  private static func page(_ orders: [String], next: String? = nil) -> ScriptedAnswer {
    let purchases = orders.map { #"{"purchaseToken":"t","orderId":"\#($0)"}"# }
    let pagination = next.map { #","tokenPagination":{"nextPageToken":"\#($0)"}"# } ?? ""
    return .status(
      200, #"{"voidedPurchases":[\#(purchases.joined(separator: ","))]\#(pagination)}"#)
  }

  private static func orders(
    _ scene: PlayScene, from start: Date = PlayScene.begin - 3600, to end: Date? = nil,
    options: VoidedPurchasesOptions = .init()
  ) async throws -> [String?] {
    var orders: [String?] = []
    for try await page in scene.client.voidedPurchases(from: start, to: end, options: options) {
      orders += page.voidedPurchases.map(\.orderID)
    }
    return orders
  }

  private static func queries(_ scene: PlayScene) -> [String] {
    scene.play.requests.map {
      String($0.url.dropFirst((PlayScene.base + "voidedpurchases?").count))
    }
  }

  @Test("the pages are read until one names no next page")
  func pages() async throws {
    let scene = try await PlayScene([
      Self.page(["GPA.1", "GPA.2"], next: "a=/b"), Self.page([], next: "c"), Self.page(["GPA.3"]),
    ])
    #expect(try await Self.orders(scene) == ["GPA.1", "GPA.2", "GPA.3"])
    let first =
      "startTime=1793487600000&type=1&includeQuantityBasedPartialRefund=true&maxResults=1000"
    #expect(Self.queries(scene) == [first, first + "&token=a%3D%2Fb", first + "&token=c"])
  }

  @Test("the options choose what is listed")
  func options() async throws {
    let scene = try await PlayScene([Self.page([])])
    var options = VoidedPurchasesOptions()
    options.type = .oneTimeProducts
    options.includesQuantityBasedPartialRefunds = false
    options.pageSize = 1
    _ = try await Self.orders(scene, to: PlayScene.begin - 1, options: options)
    #expect(
      Self.queries(scene) == [
        "startTime=1793487600000&endTime=1793491199000&type=0"
          + "&includeQuantityBasedPartialRefund=false&maxResults=1"
      ])
  }

  @Test("an end in the future counts as now, which is Google's default")
  func futureEnd() async throws {
    let scene = try await PlayScene([Self.page([])])
    _ = try await Self.orders(scene, to: PlayScene.begin + 1)
    #expect(!(try #require(Self.queries(scene).first)).contains("endTime"))
  }

  @Test("a page without purchases, and one without members, is empty")
  func emptyPages() async throws {
    let scene = try await PlayScene([.status(200, "{}")])
    #expect(try await Self.orders(scene) == [])
    let blank = try await PlayScene([
      .status(200, #"{"voidedPurchases":null,"tokenPagination":{"nextPageToken":""}}"#)
    ])
    #expect(try await Self.orders(blank) == [])
  }

  @Test(
    "a period that Google refuses is not sent",
    arguments: [
      (-30 * 86_400.0 - 0.001, nil, .startTooEarly(earliest: PlayScene.begin - 30 * 86_400)),
      (0, nil, .emptyPeriod), (1, nil, .emptyPeriod), (-60, -60, .emptyPeriod),
      (-60, -61, .emptyPeriod),
    ] as [(TimeInterval, TimeInterval?, InvalidCall)])
  func periods(start: TimeInterval, end: TimeInterval?, fault: InvalidCall) async throws {
    let scene = try await PlayScene([Self.page([])])
    let failure = try await failure {
      try await Self.orders(
        scene, from: PlayScene.begin + start, to: end.map { PlayScene.begin + $0 })
    }
    #expect(failure == .invalidCall(fault))
    #expect(scene.play.requests.isEmpty)
  }

  @Test("thirty days are not too long")
  func longestPeriod() async throws {
    let scene = try await PlayScene([Self.page([])])
    _ = try await Self.orders(scene, from: PlayScene.begin - 30 * 86_400)
    #expect(scene.play.requests.count == 1)
  }

  @Test("the rules are checked once, so that a long list does not outgrow its period")
  func slowPages() async throws {
    let scene = try await PlayScene([Self.page(["GPA.1"], next: "a"), Self.page(["GPA.2"])])
    var pages = scene.client.voidedPurchases(
      from: PlayScene.begin - 30 * 86_400, to: PlayScene.begin + 60
    ).makeAsyncIterator()
    _ = try await pages.next()
    scene.clock.advance(by: .seconds(120))
    #expect(try await pages.next()?.voidedPurchases.first?.orderID == "GPA.2")
    #expect(!Self.queries(scene).contains { $0.contains("endTime") })
  }

  @Test("the size of a page is from 1 to 1000", arguments: [0, 1001, -1])
  func pageSize(size: Int) async throws {
    let scene = try await PlayScene([Self.page([])])
    var options = VoidedPurchasesOptions()
    options.pageSize = size
    let failure = try await failure { try await Self.orders(scene, options: options) }
    #expect(failure == .invalidCall(.pageSizeOutOfRange(size)))
  }

  @Test("a page that names one that was read ends with a failure, not with a loop")
  func repeatedPages() async throws {
    let scene = try await PlayScene([
      Self.page(["GPA.1"], next: "a"), Self.page(["GPA.2"], next: "b"),
      Self.page(["GPA.3"], next: "a"),
    ])
    var orders: [String?] = []
    let failure = try await failure {
      for try await page in scene.client.voidedPurchases(from: PlayScene.begin - 3600) {
        orders += page.voidedPurchases.map(\.orderID)
      }
    }
    #expect(failure == .pagesRepeat)
    #expect(orders == ["GPA.1", "GPA.2", "GPA.3"])
    #expect(scene.play.requests.count == 3)
  }

  @Test("the number of pages has a limit")
  func pageLimit() async throws {
    let scene = try await PlayScene(
      ScriptedTransport { _, number in try Self.page(["GPA.1"], next: "page-\(number)").get() })
    var options = VoidedPurchasesOptions()
    options.pageLimit = 3
    let failure = try await failure { try await Self.orders(scene, options: options) }
    #expect(failure == .tooManyPages(limit: 3))
    #expect(scene.play.requests.count == 3)
  }

  @Test("after a failure there are no more pages")
  func afterFailure() async throws {
    let scene = try await PlayScene([.error(404, "notFound"), Self.page(["GPA.1"])])
    var pages = scene.client.voidedPurchases(from: PlayScene.begin - 3600).makeAsyncIterator()
    await #expect(throws: GooglePlayFailure.self) { try await pages.next() }
    #expect(try await pages.next() == nil)
  }

  @Test("numbers come as texts or as numbers")
  func numbers() throws {
    let text = try VoidedPurchase(
      json: json(
        #"{"kind":"androidpublisher#voidedPurchase","purchaseToken":"t","orderId":"GPA.1","#
          + #""purchaseTimeMillis":"1468825200000","voidedTimeMillis":"1469430000000","#
          + #""voidedSource":0,"voidedReason":4,"voidedQuantity":2}"#))
    #expect(text.purchaseTime == Date(timeIntervalSince1970: 1_468_825_200))
    #expect(text.voidedTime == Date(timeIntervalSince1970: 1_469_430_000))
    #expect(text.voidedSource == .user)
    #expect(text.voidedReason == .accidentalPurchase)
    #expect(text.voidedQuantity == 2)
    #expect(text.json["kind"] == .string("androidpublisher#voidedPurchase"))
    let number = try VoidedPurchase(
      json: json(
        #"{"purchaseToken":"t","voidedTimeMillis":1469430000000,"voidedSource":"2","#
          + #""voidedReason":"99"}"#))
    #expect(number.voidedTime == text.voidedTime)
    #expect(number.voidedSource == .google)
    #expect(number.voidedReason == VoidedReason(rawValue: 99))
  }

  @Test(
    "a member of the wrong type is named",
    arguments: [
      (#"{}"#, "purchaseToken", .string, .absent),
      (#"{"purchaseToken":1}"#, "purchaseToken", .string, .integer),
      (#"{"purchaseToken":"t","voidedTimeMillis":"now"}"#, "voidedTimeMillis", .integer, .string),
      (#"{"purchaseToken":"t","voidedTimeMillis":"+1"}"#, "voidedTimeMillis", .integer, .string),
      (#"{"purchaseToken":"t","voidedTimeMillis":1.5}"#, "voidedTimeMillis", .integer, .number),
      (
        #"{"purchaseToken":"t","voidedTimeMillis":"9223372036854775807"}"#, "voidedTimeMillis",
        .timestamp, .number
      ),
    ] as [(String, String, JSONKind, JSONKind)])
  func wrongTypes(text: String, path: String, expected: JSONKind, found: JSONKind) throws {
    let value = try json(text)
    #expect(throws: FieldTypeFailure(path: path, expected: expected, found: found)) {
      try VoidedPurchase(json: value)
    }
  }
}
