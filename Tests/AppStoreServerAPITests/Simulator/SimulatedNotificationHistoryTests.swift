import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("The simulator's notification history and test notifications")
struct SimulatedNotificationHistoryTests {
  private let target = "/inApps/v1/notifications/history"

  private func window(_ scene: ServerAPIScene, days: Int = 1, _ more: String = "") -> String {
    let now = scene.milliseconds(scene.appStore.now)
    return #"{"startDate":\#(now - days * 86_400_000),"endDate":\#(now + 1000)\#(more)}"#
  }

  private func payloads(_ page: JSONValue, _ scene: ServerAPIScene) throws -> [String?] {
    try (page["notificationHistory"]?.list ?? []).map {
      try scene.verifier.notification($0["signedPayload"]?.string ?? "").payload.notification
        .notificationUUID
    }
  }

  @Test("the history has each notification as it was sent")
  func history() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    let refund = try scene.appStore.refund(monthly)
    let page = try await scene.ask(.post, target, window(scene))
    #expect(try payloads(page, scene) == [monthly.notification.uuid, refund.uuid])
    #expect(page["hasMore"] == .boolean(false))
    #expect(page["paginationToken"] == nil)
    let attempt = try #require(
      page["notificationHistory"]?.list.first?["sendAttempts"]?.list.first)
    #expect(attempt["sendAttemptResult"] == .string("SUCCESS"))
    #expect(attempt["attemptDate"]?.number == scene.milliseconds(scene.appStore.now))
  }

  @Test("pages need the same body and the token of the page before")
  func paging() async throws {
    let scene = try ServerAPIScene { $0.pageSize = 2 }
    let uuids = try (1...5).map { _ in try scene.appStore.buy("reader.coffee").notification.uuid }
    let body = window(scene)
    var found: [String?] = []
    var token: String?
    for _ in 1...3 {
      let page = try await scene.ask(
        .post, target + (token.map { "?paginationToken=" + escaped($0) } ?? ""), body)
      found += try payloads(page, scene)
      #expect(page["hasMore"] == .boolean(found.count < 5))
      // What happens meanwhile is no part of it.
      if token == nil { try scene.appStore.buy("reader.coffee") }
      if let next = page["paginationToken"]?.string { token = next }
    }
    #expect(found == uuids)
    let query = "?paginationToken=" + escaped(token ?? "")
    #expect(
      try await scene.code(.post, target + query, window(scene, days: 2)) == 4_000_014)
    #expect(try await scene.code(.post, target + "?paginationToken=x", body) == 4_000_014)
    scene.pass(1)
    #expect(try await scene.code(.post, target + query, body) == 4_000_017)
  }

  @Test("filters by customer, type, subtype and failure")
  func filters() async throws {
    let scene = try ServerAPIScene()
    let mine = try scene.appStore.buy("reader.monthly")
    let theirs = try scene.appStore.buy("reader.coffee", by: "bob")
    scene.appStore.loseNotifications()
    let lost = try scene.appStore.refund(theirs)
    #expect(lost.isLost)
    let off = try scene.appStore.setAutoRenew(.off, of: mine)
    #expect(!off.isLost)
    for (filter, expected) in [
      (#","transactionId":"\#(mine.transactionID)""#, [mine.notification.uuid, off.uuid]),
      (#","notificationType":"REFUND""#, [lost.uuid]),
      (
        #","notificationType":"DID_CHANGE_RENEWAL_STATUS","notificationSubtype":"AUTO_RENEW_DISABLED""#,
        [off.uuid]
      ),
      (
        #","notificationType":"DID_CHANGE_RENEWAL_STATUS","notificationSubtype":"AUTO_RENEW_ENABLED""#,
        []
      ),
      (#","onlyFailures":true"#, [lost.uuid]),
      (#","onlyFailures":true,"transactionId":"\#(mine.transactionID)""#, []),
    ] {
      let page = try await scene.ask(.post, target, window(scene, filter))
      #expect(try payloads(page, scene) == expected, "\(filter)")
    }
    let failed = try await scene.ask(.post, target, window(scene, #","onlyFailures":true"#))
    #expect(
      failed["notificationHistory"]?.list.first?["sendAttempts"]?.list.first?["sendAttemptResult"]
        == .string("NO_RESPONSE"))
    // Accepted later, it is no failure any more.
    #expect(scene.appStore.recordAttempt(.success, of: lost.uuid))
    let none = try await scene.ask(.post, target, window(scene, #","onlyFailures":true"#))
    #expect(none["notificationHistory"] == .array([]))
  }

  @Test(
    "wrong bodies are refused with their code",
    arguments: [
      (#","transactionId":"x""#, 4_000_006), (#","transactionId":"12""#, 4_040_010),
      (#","notificationType":"LOST""#, 4_000_018),
      (#","notificationType":"REFUND","notificationSubtype":"UPGRADE""#, 4_000_018),
      (#","notificationSubtype":"UPGRADE""#, 4_000_018),
      (#","notificationType":"REFUND","transactionId":"12""#, 4_000_019),
    ])
  func wrongFilters(filter: String, code: Int) async throws {
    let scene = try ServerAPIScene()
    #expect(try await scene.code(.post, target, window(scene, filter)) == code)
  }

  @Test("the window has a start, an end, and a reach of 180 days, in the Sandbox 30")
  func window() async throws {
    for (environment, days) in [(AppStoreEnvironment.production, 180), (.sandbox, 30)] {
      let scene = try ServerAPIScene(environment)
      #expect(try await scene.send(.post, target, window(scene, days: days)).status == .ok)
      #expect(
        try await scene.code(.post, target, window(scene, days: days + 1)) == 4_000_012)
      let now = scene.milliseconds(scene.appStore.now)
      #expect(try await scene.code(.post, target, #"{"endDate":\#(now)}"#) == 4_000_015)
      #expect(try await scene.code(.post, target, #"{"startDate":\#(now)}"#) == 4_000_016)
      #expect(
        try await scene.code(.post, target, #"{"startDate":\#(now).5,"endDate":\#(now + 1)}"#)
          == 4_000_015)
      #expect(
        try await scene.code(.post, target, #"{"startDate":\#(now),"endDate":\#(now)}"#)
          == 4_000_013)
      #expect(try await scene.send(.post, target, "").status == .badRequest)
    }
  }

  @Test("a test notification is not there until it was sent")
  func testNotification() async throws {
    let scene = try ServerAPIScene { $0.testNotificationDelay = .seconds(5) }
    let path = "/inApps/v1/notifications/test"
    let answer = try await scene.ask(.post, path)
    let token = try #require(answer["testNotificationToken"]?.string)
    #expect(try await scene.code(.get, "\(path)/\(token)") == 4_040_008)
    scene.appStore.clock.advance(by: .seconds(5))
    let status = try await scene.get("\(path)/\(token)")
    let payload = try #require(status["signedPayload"]?.string)
    let notification = try scene.verifier.notification(payload).payload.notification
    #expect(notification.notificationType == .test)
    #expect(notification.version == "2.0")
    #expect(notification.data?.bundleID == scene.appStore.bundleID)
    #expect(notification.data?.signedTransactionInfo == nil)
    #expect(status["sendAttempts"]?.list.map { $0["sendAttemptResult"] } == [.string("SUCCESS")])
    #expect(scene.appStore.sentNotifications.map(\.uuid) == [notification.notificationUUID])
    // It is in the history too.
    let page = try await scene.ask(
      .post, target, window(scene, #","notificationType":"TEST""#))
    #expect(try payloads(page, scene) == [notification.notificationUUID])
    #expect(try await scene.code(.get, "\(path)/abc") == 4_000_020)
    #expect(try await scene.code(.get, "\(path)/\(UUID().uuidString)_1") == 4_040_008)
    scene.pass(183)
    #expect(try await scene.code(.get, "\(path)/\(token)") == 4_040_008)
  }

  @Test("without an address there is nothing to test")
  func noAddress() async throws {
    let scene = try ServerAPIScene { $0.hasNotificationURL = false }
    #expect(try await scene.code(.post, "/inApps/v1/notifications/test") == 4_040_007)
    try scene.appStore.buy("reader.coffee")
    #expect(scene.appStore.sentNotifications.isEmpty)
  }

  @Test("a server that sends by itself reports the outcome")
  func reported() async throws {
    let scene = try ServerAPIScene { $0.sendsByItself = false }
    let path = "/inApps/v1/notifications/test"
    let token = try #require(
      try await scene.ask(.post, path)["testNotificationToken"]?.string)
    #expect(try await scene.code(.get, "\(path)/\(token)") == 4_040_008)
    let sent = try #require(scene.appStore.sentNotifications.first)
    #expect(scene.appStore.recordAttempt(.unsuccessfulStatus, of: sent.uuid))
    #expect(!scene.appStore.recordAttempt(.success, of: "unknown"))
    let status = try await scene.get("\(path)/\(token)")
    #expect(
      status["sendAttempts"]?.list.map { $0["sendAttemptResult"] }
        == [.string("UNSUCCESSFUL_HTTP_RESPONSE_CODE")])
  }
}
