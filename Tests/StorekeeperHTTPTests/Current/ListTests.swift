import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import Testing

@Suite("GET /apple/subs")
struct ListTests {
  private static let badPage = Refusal(
    "page", "invalid", "page must be an integer from 1 upwards")
  private static let badLength = Refusal(
    "per_page", "invalid", "per_page must be an integer from 1 to 100")

  /// A scene in which alice owns three subscriptions, the second one in use.
  private func threeOwned() async throws -> (APIScene, [String]) {
    let scene = try APIScene()
    var ids: [String] = []
    for (customer, product) in [
      ("one", APIScene.monthly), ("two", APIScene.premium), ("three", APIScene.monthly),
    ] {
      let id = try await scene.bought(product, by: customer).originalTransactionID
      let body = #"{"ftcId":"alice","originalTxId":"\#(id)","force":\#(customer == "two")}"#
      _ = try await scene.send(.post, "/apple/link", body)
      ids.append(id)
    }
    return (scene, ids)
  }

  private func ids(_ response: HTTPResponseMessage) -> [JSONValue?] {
    guard case .array(let rows)? = response.json?["data"] else { return [] }
    return rows.map { $0["originalTransactionId"] }
  }

  @Test("a client that has the page gets 304 without a body, until a subscription on it changes")
  func tags() async throws {
    let (scene, made) = try await threeOwned()
    func list(_ query: String, _ tag: String? = nil) async throws -> HTTPResponseMessage {
      try await scene.send(
        .get, "/apple/subs\(query)", headers: [.primaryID: "alice", .ifNoneMatch: tag ?? "\"x\""])
    }
    let first = try await list("?per_page=2")
    let tag = try #require(first.headers[.entityTag])
    let same = try await list("?per_page=2", tag)
    #expect(same.status == 304 && same.body.isEmpty && same.headers[.entityTag] == tag)
    #expect(try await list("?per_page=2&page=2", tag).status == .ok)
    let body = #"{"ftcId":"alice","originalTxId":"\#(made[1])"}"#
    #expect(try await scene.send(.post, "/apple/unlink", body).status == .noContent)
    #expect(try await list("?per_page=2", tag).status == .ok)
  }

  @Test("pages through an account's subscriptions, the latest end first")
  func pages() async throws {
    let (scene, made) = try await threeOwned()
    let order = [made[1], made[0], made[2]].map { JSONValue?.some(.string($0)) }
    let all = try await scene.send(.get, "/apple/subs", headers: [.primaryID: "alice"])
    #expect(all.status == 200)
    #expect(ids(all) == order)
    #expect(all.json?["total"] == .integer(3))
    #expect(all.json?["page"] == .integer(1))
    #expect(all.json?["limit"] == .integer(20))
    guard case .object(let members)? = all.json, case .array(let rows)? = members["data"] else {
      Issue.record("no list")
      return
    }
    #expect(members.count == 4)
    #expect(rows.map { $0["inUse"] } == [.boolean(true), .boolean(false), .boolean(false)])
    #expect(rows.map { $0["ftcUserId"] } == Array(repeating: .string("alice"), count: 3))

    let second = try await scene.send(
      .get, "/apple/subs?per_page=2&page=2", headers: [.userID: "alice"])
    #expect(ids(second) == [order[2]])
    #expect(second.json?["total"] == .integer(3))
    #expect(second.json?["page"] == .integer(2))
    #expect(second.json?["limit"] == .integer(2))
  }

  @Test(
    "a page past the end, and an unknown user, have no rows",
    arguments: [
      ("alice", "?page=9", 3), ("alice", "?page=9223372036854775807&per_page=100", 3),
      ("nobody", "", 0), ("a b", "", 0), ("ä", "", 0),
    ])
  func empty(user: String, query: String, total: Int) async throws {
    let (scene, _) = try await threeOwned()
    let response = try await scene.send(.get, "/apple/subs\(query)", headers: [.primaryID: user])
    #expect(response.status == 200)
    #expect(response.json?["total"] == .integer(total))
    #expect(response.json?["data"] == .array([]))
  }

  @Test("X-Ftc-Id counts before X-User-Id; a blank field is none")
  func userHeaders() async throws {
    let (scene, _) = try await threeOwned()
    func total(_ headers: KeyValuePairs<HTTPHeaderName, String>) async throws -> JSONValue? {
      try await scene.send(.get, "/apple/subs", headers: headers).json?["total"]
    }
    #expect(try await total([.primaryID: "bob", .userID: "alice"]) == .integer(0))
    #expect(try await total([.userID: "bob", .primaryID: "alice"]) == .integer(3))
    #expect(try await total([.primaryID: "  ", .userID: "alice"]) == .integer(3))
    #expect(try await total([.primaryID: "\u{A0}", .userID: "alice"]) == .integer(3))
    #expect(try await total([.primaryID: "alice", .userID: "bob", .secondID: "x"]) == .integer(3))
  }

  @Test(
    "no user, a blank one, or two are 401",
    arguments: [
      [:], [.primaryID: ""], [.primaryID: " ", .userID: "\t"], [.secondID: "wx-carol"],
      [.primaryID: "\u{3000}"],
      [.primaryID: "alice", .primaryID: "bob"], [.primaryID: "alice", .primaryID: "alice"],
      [.userID: "alice", .userID: "bob"],
    ] as [KeyValuePairs<HTTPHeaderName, String>])
  func noUser(headers: KeyValuePairs<HTTPHeaderName, String>) async throws {
    let scene = try APIScene()
    let response = try await scene.send(.get, "/apple/subs?page=0", headers: headers)
    #expect(response.refusal == .noUser)
    #expect(response.headers[.authenticate] == "Bearer")
  }

  @Test(
    "a page that is no number from 1 upwards is refused",
    arguments: [
      "0", "-1", "x", "1.0", "1e2", "%2B1", "+1", "%201", "0x1", "%D9%A1", "%FF", "%", "%zz",
      "9223372036854775808", "1%00", "--1", "-0", "1&page=1", "1&page=", "&page=1", "1&p%61ge=x",
    ])
  func badPage(value: String) async throws {
    let scene = try APIScene()
    #expect(
      try await scene.send(
        .get, "/apple/subs?per_page=0&page=\(value)", headers: [.primaryID: "alice"]
      ).refusal == Self.badPage)
  }

  @Test(
    "a length that is no number from 1 to 100 is refused",
    arguments: [
      "0", "101", "-5", "twenty", "1,0", "99999999999999999999", "%31%30%31", "&per_page=20",
    ])
  func badLength(value: String) async throws {
    let scene = try APIScene()
    #expect(
      try await scene.send(
        .get, "/apple/subs?page=1&per_page=\(value)", headers: [.primaryID: "alice"]
      ).refusal == Self.badLength)
  }

  @Test(
    "missing and empty mean the default, and names are decoded",
    arguments: [
      ("", 1, 20), ("?", 1, 20), ("?page=&per_page=", 1, 20), ("?page&per_page", 1, 20),
      ("?per_page=100", 1, 100), ("?p%61ge=3&per%5fpage=7", 3, 7),
      ("?PAGE=2&Per_Page=3", 1, 20), ("?pag%ff=2&&=&page=4", 4, 20), ("?page=02", 2, 20),
      ("?page=1#?page=2", 1, 20),
    ])
  func numbers(query: String, page: Int, length: Int) async throws {
    let scene = try APIScene()
    let response = try await scene.send(.get, "/apple/subs\(query)", headers: [.primaryID: "alice"])
    #expect(response.json?["page"] == .integer(page))
    #expect(response.json?["limit"] == .integer(length))
  }
}
