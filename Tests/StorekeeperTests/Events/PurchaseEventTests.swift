import Foundation
import JSONValues
import Storekeeper
import Testing

@Suite("The form of events")
struct PurchaseEventTests {
  private static let date = Date(timeIntervalSince1970: 1_700_000_000.125)

  private static let purchase = {
    var change = PurchaseChange(
      environment: .sandbox, originalTransactionID: "google:a", transactionID: "google:b",
      productID: "reader.monthly")
    change.previousProductID = "reader.yearly"
    (change.expiresDate, change.gracePeriodEnd, change.revocationDate) = (date, date, date)
    change.renews = false
    return change
  }()

  static let samples: [PurchaseEvent.Details] = [
    .membership(
      MembershipChange(
        originalTransactionID: "1", tier: .premium, lastDay: CalendarDay("2026-01-31"),
        previousLastDay: nil, renews: true)),
    .purchase(purchase),
    .move(PurchaseMove(environment: .production, originalTransactionID: "1", otherAccount: "bob")),
    .credits(
      CreditChange(
        amount: -5, balance: 95, entryID: "e", changeType: "refund", subjectType: "payment",
        subjectID: "7")),
    .entitlement(EntitlementChange(bundleID: "com.example.reader")),
    .order(
      OrderChange(
        vendor: .google, environment: .production, purchaseID: "p", level: "Pro",
        expiresDate: date)),
    .dispute(ClaimDispute(originalTransactionID: "1", owner: nil)),
    .notice(StoreNotice(originalTransactionID: "1", reference: "v2:x", deadline: date)),
    .notification(UnreadNotification(key: "k", environment: nil, path: "data.bundleId")),
    .erasure(ErasureNotice(reference: "request 4711")),
  ]

  static func sample(of kind: PurchaseEvent.Kind) -> PurchaseEvent? {
    samples.lazy.map {
      PurchaseEvent(id: "evt_1", kind: kind, account: "ann", date: date, details: $0)
    }.first { event in
      guard let read = try? PurchaseEvent(parsing: event.body) else { return false }
      return read == event
    }
  }

  @Test("each type is read as it was written", arguments: PurchaseEvent.Kind.allCases)
  func roundTrip(_ kind: PurchaseEvent.Kind) throws {
    let event = try #require(Self.sample(of: kind), "no fields belong to the type")
    #expect(event.body.count < 20_000)
  }

  @Test("the API's description has each type, with an example that has its fields")
  func description() throws {
    let text = try String(
      contentsOfFile: #filePath.split(separator: "/Tests/", maxSplits: 1)[0]
        + "/Documentation/reference/openapi.yaml", encoding: .utf8)
    let part =
      try #require(text.components(separatedBy: "\nwebhooks:\n").last)
      .components(separatedBy: "\ncomponents:").first ?? ""
    let lines = part.split(separator: "\n")
    let types = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .map { $0.dropFirst(2).dropLast() }.map(String.init)
    #expect(Set(types) == Set(PurchaseEvent.Kind.allCases.map(\.rawValue)))
    let examples = try lines.filter { $0.contains(" example: ") }.map { line in
      try PurchaseEvent(
        parsing: Array(try #require(line.components(separatedBy: " example: ").last).utf8))
    }
    #expect(examples.map(\.kind.rawValue) == types)
    for event in examples {
      if case .other = event.details { Issue.record("the fields of \(event.kind.rawValue)") }
      // Each member that is written is described, and the other way round.
      let json = try JSONValue(parsing: event.body)
      guard case .object(let members)? = json["data"] else { continue }
      let line = try #require(lines.first { $0.contains("\"\(event.kind.rawValue)\"") })
      for name in members.keys { #expect(line.contains("\"\(name)\":"), "\(event.kind.rawValue)") }
    }
  }

  @Test("a body has the three members of Standard Webhooks, and dates with milliseconds")
  func body() throws {
    let event = PurchaseEvent(
      id: "evt_1", kind: .entitlementChanged, account: nil, date: Self.date,
      details: .entitlement(EntitlementChange(bundleID: "com.example.reader")))
    #expect(
      String(decoding: event.body, as: UTF8.self)
        == #"{"data":{"account":null,"bundleId":"com.example.reader","id":"evt_1","version":1},"#
        + #""timestamp":"2023-11-14T22:13:20.125Z","type":"entitlement.changed"}"#)
  }

  @Test("an event of a type or a form that is not known keeps its fields")
  func unknown() throws {
    let body = #"""
      {"type":"membership.gilded","timestamp":"2026-01-31T00:00:00Z","data":{"id":"evt_9",
      "version":3,"account":"ann","gold":7}}
      """#
    let event = try PurchaseEvent(parsing: Array(body.utf8))
    #expect(event.kind.rawValue == "membership.gilded")
    #expect(event.version == 3)
    guard case .other(let members) = event.details else {
      return #expect(Bool(false), "other fields")
    }
    #expect(members["gold"] == .integer(7))
    #expect(throws: PurchaseEventFailure.notJSON) { try PurchaseEvent(parsing: [0x7B]) }
    #expect(throws: PurchaseEventFailure.fieldMissing("data.id")) {
      try PurchaseEvent(
        parsing: Array(
          #"{"type":"a","timestamp":"2026-01-31T00:00:00Z","data":{"version":1}}"#.utf8))
    }
  }
}
