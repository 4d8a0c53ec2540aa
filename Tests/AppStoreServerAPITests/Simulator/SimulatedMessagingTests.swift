import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("The simulator's Retention Messaging, groups and external purchase reports")
struct SimulatedMessagingTests {
  private let base = "/inApps/v1/messaging/"
  private let id = "6d5f1f2e-8f1a-4a4f-9d0c-0a1b2c3d4e5f"

  /// The beginning of a picture in the PNG format.
  private func picture(_ width: Int, _ height: Int, colorType: UInt8 = 2) -> [UInt8] {
    func bytes(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bytes(13) + Array("IHDR".utf8)
      + bytes(width) + bytes(height) + [8, colorType, 0, 0, 0] + bytes(0)
      + bytes(0) + Array("IEND".utf8) + bytes(0)
  }

  private func upload(
    _ scene: ServerAPIScene, _ id: String, _ body: [UInt8], _ query: String = ""
  ) async throws -> HTTPResponseMessage {
    var headers: HTTPHeaders = [.contentType: "image/png"]
    try headers.set("Bearer " + scene.token(), for: .authorization)
    return try await scene.appStore.send(
      HTTPRequestMessage(
        method: .put, url: scene.host + base + "image/" + id + query, headers: headers, body: body))
  }

  @Test("images are checked, listed and deleted")
  func images() async throws {
    let scene = try ServerAPIScene()
    for (body, query) in [
      (picture(3840, 160, colorType: 6), ""), (picture(3839, 160), ""), (picture(3840, 2161), ""),
      (picture(3840, 160), "?imageSize=BULLET_POINT"), (Array("GIF".utf8), ""), ([], ""),
    ] {
      let response = try await upload(scene, id, body, query)
      #expect(try JSONValue(parsing: response.body)["errorCode"] == .integer(4_000_161))
    }
    #expect(try await upload(scene, id, picture(3840, 2160)).status == .ok)
    #expect(try await upload(scene, id, picture(3840, 2160)).status == .conflict)
    let list = try await scene.get(base + "image/list")
    #expect(
      list["imageIdentifiers"]?.list == [
        .object([
          "imageIdentifier": .string(id), "imageState": .string("PENDING"),
          "imageSize": .string("FULL_SIZE"),
        ])
      ])
    let message =
      #"{"header":"Stay","body":"Please","image":{"imageIdentifier":"\#(id)","altText":"A book"}}"#
    #expect(try await scene.send(.put, base + "message/" + id, message).status == .ok)
    #expect(try await scene.code(.delete, base + "image/" + id) == 4_030_019)
    #expect(try await scene.send(.delete, base + "message/" + id).status == .ok)
    #expect(try await scene.send(.delete, base + "image/" + id).status == .ok)
    #expect(try await scene.code(.delete, base + "image/" + id) == 4_040_014)
  }

  @Test("a default message has to be approved")
  func defaults() async throws {
    let scene = try ServerAPIScene()
    let place = base + "default/reader.monthly/en-US"
    let body = #"{"messageIdentifier":"\#(id)"}"#
    #expect(try await scene.code(.get, place) == 4_040_020)
    #expect(try await scene.code(.put, place, body) == 4_040_015)
    _ = try await scene.send(.put, base + "message/" + id, #"{"header":"Stay","body":"Please"}"#)
    #expect(
      try await scene.code(.put, base + "message/" + id, #"{"header":"a","body":"b"}"#)
        == 4_090_001)
    #expect(try await scene.code(.put, place, body) == 4_030_017)
    scene.appStore.reviewMessages()
    #expect(try await scene.send(.put, place, body).status == .ok)
    #expect(try await scene.get(place) == .object(["messageIdentifier": .string(id)]))
    #expect(try await scene.send(.delete, place).status == .ok)
    #expect(
      try await scene.code(.put, base + "default/reader.monthly/English_US", body) == 4_000_164)
    #expect(try await scene.code(.put, base + "default/nothing/en-US", body) == 4_000_023)
  }

  @Test("messages are too long with their codes")
  func lengths() async throws {
    let scene = try ServerAPIScene()
    let long = String(repeating: "x", count: 151)
    let point = #"{"text":"a","imageIdentifier":"\#(id)","altText":"b"}"#
    for (body, code) in [
      (#"{"header":"\#(long)","body":"b"}"#, 4_000_162),
      (#"{"header":"a","body":"\#(long)"}"#, 4_000_163),
      (
        #"{"header":"a","body":"b","image":{"imageIdentifier":"\#(id)","altText":"\#(long)"}}"#,
        4_000_175
      ),
      (#"{"header":"a","body":"b","headerPosition":"ABOVE_IMAGE"}"#, 4_000_224),
      (
        #"{"header":"a","body":"b","bulletPoints":[{"text":"\#(long)","imageIdentifier":"\#(id)","altText":"b"}]}"#,
        4_000_219
      ),
      (
        #"{"header":"a","body":"b","bulletPoints":[\#(Array(repeating: point, count: 6).joined(separator: ","))]}"#,
        4_000_218
      ),
    ] {
      #expect(try await scene.code(.put, base + "message/" + id, body) == code)
    }
  }

  @Test("a realtime URL needs a passed test in Production; the Sandbox has the test")
  func realtime() async throws {
    let production = try ServerAPIScene()
    let body = #"{"realtimeURL":"https://example.org/retention"}"#
    let place = base + "realtime/url"
    #expect(try await production.code(.get, place) == 4_040_021)
    #expect(
      try await production.code(.put, place, #"{"realtimeURL":"http://a"}"#) == 4_000_215)
    #expect(try await production.code(.put, place, body) == 4_030_026)
    production.appStore.serverAPI.hasPassedPerformanceTest = true
    #expect(try await production.send(.put, place, body).status == .ok)

    let sandbox = try ServerAPIScene(.sandbox)
    let monthly = try sandbox.appStore.buy("reader.monthly")
    _ = try await sandbox.send(.put, place, body)
    let test = base + "performanceTest"
    let order = #"{"originalTransactionId":"\#(monthly.originalTransactionID)"}"#
    let started = try await sandbox.ask(.post, test, order)
    let request = try #require(started["requestId"]?.string)
    #expect(try await sandbox.code(.post, test, order) == 4_000_213)
    #expect(
      try await sandbox.get("\(test)/result/\(request)")["result"] == .string("PENDING"))
    let duration = try #require(started["config"]?["totalDuration"]?.number)
    sandbox.appStore.clock.advance(by: .milliseconds(duration))
    let result = try await sandbox.get("\(test)/result/\(request)")
    #expect(result["result"] == .string("PASS"))
    #expect(result["target"] == .string("https://example.org/retention"))
    #expect(sandbox.appStore.serverAPI.hasPassedPerformanceTest)
    #expect(try await sandbox.code(.get, "\(test)/result/x") == 4_000_212)
    #expect(try await sandbox.code(.get, "\(test)/result/\(id)") == 4_040_018)
  }

  @Test("without Apple's admission there is nothing")
  func admission() async throws {
    let scene = try ServerAPIScene { $0.offersRetentionMessaging = false }
    let response = try await scene.send(.get, base + "image/list")
    #expect(response.status == .notFound)
    #expect(response.body.isEmpty)
  }

  @Test("groups are there in the Sandbox only")
  func groups() async throws {
    let scene = try ServerAPIScene(.sandbox)
    let alone = try scene.appStore.buy("reader.monthly", by: "alone")
    let parent = try scene.appStore.buy("reader.yearly", by: "parent")
    let child = try scene.appStore.share(parent, with: "child")
    let placeholder = try await scene.get("/groups/v1/currentGroups/\(alone.transactionID)")
    #expect(placeholder["groups"]?.list.first?["groupId"] == .string("900000000000000000"))
    #expect(placeholder["groups"]?.list.first?["groupType"] == .string("ORGANIZATION"))
    let members = try await scene.get("/groups/v1/group/900000000000000000")
    #expect(
      members["members"]?.list == [.object(["appTransactionId": .string("700000000000000000")])])
    let family = try await scene.get("/groups/v1/currentGroups/\(child.transactionID)")
    let group = try #require(family["groups"]?.list.first?["groupId"]?.string)
    let first = try await scene.get("/groups/v1/group/\(group)?limit=1")
    #expect(
      first["members"]?.list
        == [.object(["appTransactionId": .string(parent.appTransactionID)])])
    let token = try #require(first["paginationToken"]?.string)
    let second = try await scene.get(
      "/groups/v1/group/\(group)?limit=1&paginationToken=\(escaped(token))")
    #expect(
      second["members"]?.list
        == [.object(["appTransactionId": .string(child.appTransactionID)])])
    #expect(second["paginationToken"] == nil)
    for (target, code) in [
      ("\(group)?limit=101", 4_000_004), ("\(group)?paginationToken=x", 4_000_014),
      ("x", 4_000_225), ("12", 4_040_022),
    ] {
      #expect(try await scene.code(.get, "/groups/v1/group/" + target) == code)
    }
    let production = try ServerAPIScene()
    #expect(
      try await production.send(.get, "/groups/v1/currentGroups/1").status == .notFound)
  }

  @Test("an external purchase report is taken whole or not at all")
  func reports() async throws {
    let scene = try ServerAPIScene()
    let path = "/externalPurchase/v1/reports"
    let item =
      #"{"lineItemId":"\#(id)","creationDate":1,"eventType":"BUY","pricingCurrency":"USD","reportingCurrency":"USD","amountTaxExclusive":900,"amountTaxInclusive":1000,"netAmountTaxExclusive":900,"taxAmount":100,"taxCountry":"US","productType":"ONE_TIME_BUY","productIdentifier":"a","quantity":1}"#
    let report =
      #"{"requestIdentifier":"\#(id)","externalPurchaseId":"abc","status":"LINE_ITEM","lineItems":[\#(item)]}"#
    let wrong = try await scene.send(
      .put, path, report.replacing(#""taxAmount":100"#, with: #""taxAmount":99"#))
    #expect(wrong.status == .badRequest)
    let error = try JSONValue(parsing: wrong.body)["errors"]?.list.first
    #expect(error?["fieldName"] == .string("amountTaxInclusive"))
    #expect(error?["lineItemId"] == .string(id))
    #expect(try await scene.send(.get, "\(path)/\(id)").status == .badRequest)
    #expect(
      try await scene.ask(.put, path, report)
        == .object(["requestIdentifier": .string(id)]))
    #expect(try await scene.get("\(path)/\(id)")["externalPurchaseId"] == .string("abc"))
    #expect(try await scene.send(.put, path, report).status == .badRequest)
  }
}
