import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

@Suite("Hostile identifiers") struct HostileIdentifierTests {
  typealias Call =
    @Sendable (AppStoreServerClient, String) async throws -> Void

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let field: String
    let call: Call
    var testDescription: String { name }
    init(_ name: String, _ field: String, _ call: @escaping Call) {
      self.name = name
      self.field = field
      self.call = call
    }
  }

  private static func model<Model: Decodable>(_ endpoint: AppStoreServerEndpoint) throws -> Model {
    try JSONDecoder().decode(Model.self, from: Data(SampleCall.of(endpoint).body.utf8))
  }

  /// The calls with the identifier of a transaction, which is digits.
  static let transactionCalls: [Case] = [
    Case("history", "transactionId") {
      _ = try await $0.transactionHistory(of: $1, in: .sandbox).all()
    },
    Case("refunds", "transactionId") {
      _ = try await $0.refundHistory(of: $1, in: .sandbox).all()
    },
    Case("transaction", "transactionId") { _ = try await $0.transactionInfo($1, in: .sandbox) },
    Case("app transaction", "transactionId") {
      _ = try await $0.appTransactionInfo(of: $1, in: .sandbox)
    },
    Case("statuses", "transactionId") {
      _ = try await $0.allSubscriptionStatuses(of: $1, in: .sandbox)
    },
    Case("finish", "transactionId") { try await $0.finishTransaction($1, in: .sandbox) },
    Case("account token", "originalTransactionId") {
      try await $0.setAppAccountToken(SampleCall.uuid, of: $1, in: .sandbox)
    },
    Case("consumption", "transactionId") {
      try await $0.sendConsumptionInformation(
        model(.sendConsumptionInformation), forTransaction: $1, in: .sandbox)
    },
    Case("consumption, version 1", "transactionId") {
      try await $0.sendConsumptionData(
        model(.sendConsumptionData), forTransaction: $1, in: .sandbox)
    },
    Case("extend", "originalTransactionId") {
      _ = try await $0.extendSubscriptionRenewalDate(
        model(.extendSubscriptionRenewalDate), of: $1, in: .sandbox)
    },
    Case("groups", "transactionId") { _ = try await $0.currentGroups(of: $1, in: .sandbox) },
    Case("performance test", "originalTransactionId") {
      _ = try await $0.initiatePerformanceTest(of: $1)
    },
    Case("cancel", "transactionId") {
      _ = try await $0.cancelSubscription(model(.cancelSubscription), of: $1, in: .sandbox)
    },
    Case("metadata", "transactionId") {
      _ = try await $0.changeSubscriptionMetadata(
        model(.changeSubscriptionMetadata), of: $1, in: .sandbox)
    },
    Case("price", "transactionId") {
      _ = try await $0.changeSubscriptionPrice(
        model(.changeSubscriptionPrice), of: $1, in: .sandbox)
    },
    Case("migrate", "transactionId") {
      _ = try await $0.migrateSubscription(model(.migrateSubscription), of: $1, in: .sandbox)
    },
    Case("revoke", "transactionId") {
      _ = try await $0.revokeSubscription(model(.revokeSubscription), of: $1, in: .sandbox)
    },
    Case("refund", "transactionId") {
      _ = try await $0.requestTransactionRefund(
        model(.requestTransactionRefund), of: $1, in: .sandbox)
    },
  ]

  /// The calls with another text in their path.
  static let texts: [Case] = [
    Case("order", "orderId") { _ = try await $0.lookUpOrderID($1) },
    Case("extension status", "productId") {
      _ = try await $0.statusOfSubscriptionRenewalDateExtensions(
        ofProduct: $1, requestIdentifier: SampleCall.uuid, in: .sandbox)
    },
    Case("test notification", "testNotificationToken") {
      _ = try await $0.testNotificationStatus($1, in: .sandbox)
    },
    Case("group", "groupId") { _ = try await $0.groupMembers(of: $1, in: .sandbox) },
    Case("default message, product", "productId") {
      _ = try await $0.defaultMessage(forProduct: $1, locale: "en", in: .sandbox)
    },
    Case("default message, locale", "locale") {
      _ = try await $0.defaultMessage(forProduct: "p", locale: $1, in: .sandbox)
    },
    Case("configure default message", "productId") {
      try await $0.configureDefaultMessage(
        SampleCall.uuid, forProduct: $1, locale: "en", in: .sandbox)
    },
    Case("configure default message, locale", "locale") {
      try await $0.configureDefaultMessage(
        SampleCall.uuid, forProduct: "p", locale: $1, in: .sandbox)
    },
    Case("delete default message", "productId") {
      try await $0.deleteDefaultMessage(forProduct: $1, locale: "en", in: .sandbox)
    },
    Case("performance test result", "requestId") { _ = try await $0.performanceTestResults($1) },
  ]

  static let everywhere = [
    "", "..", "a..b", "1/2", "1\\2", "../1", "1\u{0}", "1\n", "1\r\nX: y", "\t", "\u{7F}", "\u{85}",
    "1\u{2028}", "\u{2029}",
  ]
  static let notDigits = [
    "1?x", "a", "1#", "1%2F", " 1", "1 ", "-1", "+1", "1.0", "1e3", "١", "１", "1\u{301}",
    String(repeating: "1", count: 65),
  ]

  @Test(
    "An identifier of a transaction is digits", arguments: transactionCalls, everywhere + notDigits)
  func digits(_ hostile: Case, _ id: String) async throws {
    try await isRefused(hostile, id)
  }

  @Test("Another text is one part of the path", arguments: texts, everywhere)
  func text(_ hostile: Case, _ text: String) async throws {
    try await isRefused(hostile, text)
  }

  @Test("64 digits are an identifier")
  func longest() async throws {
    let scene = try ClientScene([.status(200)])
    try await scene.client.finishTransaction(String(repeating: "9", count: 64), in: .sandbox)
    #expect(scene.sent == 1)
  }

  @Test("The limit of group members is checked", arguments: [-1, 0, 101, Int.max])
  func memberLimit(_ limit: Int) async throws {
    let scene = try ClientScene([.status(200)])
    let failure = try await failure {
      try await scene.client.groupMembers(of: "9", limit: limit, in: .sandbox)
    }
    guard case .invalidRequest(let fault) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(fault.field == "limit")
    #expect(scene.sent == 0)
  }

  private func isRefused(_ hostile: Case, _ text: String) async throws {
    let scene = try ClientScene([.status(200, "{}")])
    let failure = try await failure { try await hostile.call(scene.client, text) }
    guard case .invalidRequest(let fault) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(fault.field == hostile.field)
    #expect(failure.retry == .never)
    #expect(scene.sent == 0)
  }
}
