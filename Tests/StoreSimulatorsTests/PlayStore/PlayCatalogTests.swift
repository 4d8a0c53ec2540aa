import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("The catalog of the simulated Play store")
struct PlayCatalogTests {
  private func read(_ scene: PlayScene, _ path: String) async throws -> JSONValue {
    let response = try await scene.send(.get, path, under: "")
    try #require(response.status == .ok)
    return try JSONValue(parsing: response.body)
  }

  @Test("a subscription has its base plans, with their terms")
  func subscription() async throws {
    let scene = try PlayScene()
    let product = try await read(scene, "subscriptions/reader_standard")
    let plans = product["basePlans"]?.elements ?? []
    #expect(plans.map { $0["basePlanId"]?.string } == ["monthly", "yearly", "prepaid-month"])
    #expect(
      plans.map { $0["autoRenewingBasePlanType"]?["billingPeriodDuration"]?.string }
        == ["P1M", "P1Y", nil])
    #expect(plans.last?["prepaidBasePlanType"]?["billingPeriodDuration"]?.string == "P1M")
    #expect(
      plans.first?["regionalConfigs"]?.elements.first?["price"]
        == .object([
          "currencyCode": .string("USD"), "units": .string("4"), "nanos": .integer(990_000_000),
        ]))
  }

  @Test("lists have pages, and an unknown product, size and page are refused")
  func lists() async throws {
    let scene = try PlayScene()
    let first = try await read(scene, "subscriptions?pageSize=1")
    #expect(first["subscriptions"]?.elements.map { $0["productId"]?.string } == ["reader_standard"])
    let token = try #require(first["nextPageToken"]?.string)
    let second = try await read(scene, "subscriptions?pageSize=1&pageToken=\(token)")
    #expect(second["subscriptions"]?.elements.map { $0["productId"]?.string } == ["reader_premium"])
    #expect(second["nextPageToken"] == nil)
    let products = try await read(scene, "oneTimeProducts")
    #expect(
      products["oneTimeProducts"]?.elements.map { $0["productId"]?.string }
        == ["reader_gems", "reader_lifetime"])
    for path in ["subscriptions/reader_gems", "oneTimeProducts/reader_standard"] {
      #expect(try await scene.send(.get, path, under: "").status == .notFound)
    }
    for query in ["pageSize=-1", "pageToken=x", "pageToken=2"] {
      #expect(try await scene.send(.get, "subscriptions?\(query)", under: "").status == .badRequest)
    }
  }

  @Test("a base plan that is not active is not sold")
  func inactive() async throws {
    var plan = PlayBasePlan("old", period: .days(30))
    plan.isActive = false
    let active = PlayBasePlan("new", period: .days(90))
    let scene = try PlayScene(products: [PlayProduct("reader", .subscription([plan, active]))])
    let product = try await read(scene, "subscriptions/reader")
    #expect(
      product["basePlans"]?.elements.map { $0["state"]?.string } == ["INACTIVE", "ACTIVE"])
    #expect(throws: PlayStoreFailure.unknownBasePlan("old")) {
      try scene.play.subscribe("reader", basePlan: "old")
    }
    let bought = try scene.play.subscribe("reader")
    #expect(bought.basePlan == "new")
  }
}
