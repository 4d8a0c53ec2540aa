import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import Testing

@Suite("The simulator's Advanced Commerce")
struct SimulatedCommerceTests {
  private func path(_ call: String, _ id: String) -> String { "/advancedCommerce/v1/\(call)/\(id)" }

  private func body(_ more: String = "", reference: String = UUID().uuidString) -> String {
    #"{"requestInfo":{"requestReferenceId":"\#(reference)"}\#(more)}"#
  }

  private let migration =
    #","descriptors":{"description":"All","displayName":"Reader"},"items":[{"SKU":"one","description":"Books","displayName":"Books"}],"targetProductId":"reader.generic","taxCode":"C003""#

  @Test("cancel turns renewal off; the same reference is not taken again")
  func cancel() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    let target = path("subscription/cancel", monthly.transactionID)
    let reference = UUID().uuidString
    let answer = try await scene.ask(.post, target, body(reference: reference))
    let renewal = try scene.verifier.renewalInfo(answer["signedRenewalInfo"]?.string ?? "")
    #expect(renewal.payload.autoRenewStatus == .off)
    #expect(
      try scene.transaction(answer["signedTransactionInfo"]).transactionID
        == monthly.transactionID)
    #expect(scene.appStore.sentNotifications.last?.subtype == .autoRenewDisabled)
    #expect(
      try await scene.code(.post, target, body(reference: reference.lowercased())) == 4_000_097)
    for (body, code) in [
      ("{}", 4_000_079), (#"{"requestInfo":{}}"#, 4_000_080),
      (body(reference: "x"), 4_000_081), ("[", 4_000_173),
      (body(#","storefront":"us""#), 4_000_028), (body(#","storefront":"DEU""#), 4_000_133),
    ] {
      #expect(try await scene.code(.post, target, body) == code)
    }
    #expect(
      try await scene.code(.post, path("subscription/cancel", "12"), body()) == 4_040_010)
    let coffee = try scene.appStore.buy("reader.coffee")
    #expect(
      try await scene.code(.post, path("subscription/cancel", coffee.transactionID), body())
        == 4_030_008)
  }

  @Test("revoke refunds at once, or after consumption information")
  func revoke() async throws {
    for isRisky in [false, true] {
      let scene = try ServerAPIScene()
      let monthly = try scene.appStore.buy("reader.monthly")
      scene.pass(15)
      let target = path("subscription/revoke", monthly.transactionID)
      let revocation =
        #","refundReason":"LEGAL","refundType":"PRORATED","refundRiskingPreference":\#(isRisky)"#
      #expect(
        try await scene.code(
          .post, target, body(revocation.replacing("PRORATED", with: "CUSTOM"))) == 4_000_123)
      #expect(try await scene.code(.post, target, body()) == 4_000_156)
      _ = try await scene.ask(.post, target, body(revocation))
      if isRisky {
        #expect(scene.appStore.sentNotifications.last?.type == .consumptionRequest)
        #expect(try await scene.code(.post, target, body(revocation)) == 4_000_181)
        try scene.appStore.decideRefund(monthly)
      }
      let refund = try #require(scene.appStore.sentNotifications.last)
      #expect(refund.type == .refund)
      #expect(refund.transaction?.revocationType == .refundProrated)
      #expect(refund.transaction?.revocationPercentage == 50_000)
      #expect(try await scene.code(.post, target, body(revocation)) == 4_030_021)
    }
  }

  @Test("a migrated subscription carries its items, and consumption version 2 refuses it")
  func migrate() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    let target = path("subscription/migrate", monthly.transactionID)
    #expect(try await scene.code(.post, target, body()) == 4_000_103)
    let answer = try await scene.ask(.post, target, body(migration))
    let transaction = try scene.transaction(answer["signedTransactionInfo"])
    #expect(transaction.advancedCommerceInfo?.items?.map(\.sku) == ["one"])
    let renewal = try scene.verifier.renewalInfo(answer["signedRenewalInfo"]?.string ?? "")
    let token = try #require(renewal.payload.advancedCommerceInfo?.consistencyToken)
    #expect(scene.appStore.sentNotifications.last?.type == .migration)
    #expect(try await scene.code(.post, target, body(migration)) == 4_000_176)
    let consumption =
      #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false}"#
    let refused = try await scene.send(
      .put, "/inApps/v2/transactions/consumption/\(monthly.transactionID)", consumption)
    #expect(refused.status == .badRequest)

    // The token of before is old after a change.
    let price = path("subscription/changePrice", monthly.transactionID)
    func info(_ token: String) -> String {
      #"{"requestInfo":{"requestReferenceId":"\#(UUID().uuidString)","consistencyToken":"\#(token)"},"items":[{"SKU":"one","price":9990}]}"#
    }
    let changed = try await scene.ask(.post, price, info(token))
    let next = try scene.verifier.renewalInfo(changed["signedRenewalInfo"]?.string ?? "")
    #expect(next.payload.advancedCommerceInfo?.items?.map(\.price) == [9990])
    #expect(try await scene.code(.post, price, info(token)) == 4_000_082)
    #expect(
      try await scene.code(.post, price, body(#","items":[{"SKU":"two","price":1}]"#))
        == 4_000_122)
    let renewed = try scene.appStore.renew(monthly)
    #expect(renewed.notification.transaction.advancedCommerceInfo?.items?.map(\.price) == [9990])
  }

  @Test("metadata is changed, within its limits")
  func metadata() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    let target = path("subscription/changeMetadata", monthly.transactionID)
    let change =
      #","items":[{"currentSKU":"reader.monthly","SKU":"two","displayName":"Two","effective":"IMMEDIATELY"}]"#
    let answer = try await scene.ask(.post, target, body(change))
    let renewal = try scene.verifier.renewalInfo(answer["signedRenewalInfo"]?.string ?? "")
    #expect(renewal.payload.advancedCommerceInfo?.items?.map(\.sku) == ["two"])
    #expect(scene.appStore.sentNotifications.last?.type == .metadataUpdate)
    let long = String(repeating: "x", count: 129)
    for (more, code) in [
      ("", 4_000_165), (change, 4_000_122),
      (#","items":[{"currentSKU":"two","SKU":"\#(long)","effective":"IMMEDIATELY"}]"#, 4_000_087),
      (#","descriptors":{"displayName":"\#(long)","effective":"IMMEDIATELY"}"#, 4_000_089),
      (#","descriptors":{"description":"\#(long)","effective":"IMMEDIATELY"}"#, 4_000_088),
      (#","descriptors":{"description":"a"}"#, 4_000_111),
    ] {
      #expect(try await scene.code(.post, target, body(more)) == code)
    }
  }

  @Test("a refund of items is noted in them")
  func refund() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    var item = AdvancedCommerceRenewalItem()
    item.sku = "one"
    try scene.appStore.useAdvancedCommerce(for: monthly, items: [item])
    let target = path("transaction/requestRefund", monthly.transactionID)
    func refund(_ item: String) -> String {
      body(#","refundRiskingPreference":false,"items":[{"SKU":"one",\#(item)}]"#)
    }
    for (item, code) in [
      (#""refundReason":"LEGAL""#, 4_000_157), (#""refundType":"FULL""#, 4_000_156),
      (#""refundReason":"LEGAL","refundType":"CUSTOM","revoke":false"#, 4_000_153),
      (#""refundReason":"LEGAL","refundType":"FULL","refundAmount":1,"revoke":false"#, 4_000_155),
      (#""refundReason":"SIMULATE_REFUND_DECLINE","refundType":"FULL","revoke":true"#, 4_000_158),
    ] {
      #expect(try await scene.code(.post, target, refund(item)) == code)
    }
    let answer = try await scene.ask(
      .post, target,
      refund(#""refundReason":"LEGAL","refundType":"CUSTOM","refundAmount":5,"revoke":false"#))
    let transaction = try scene.transaction(answer["signedTransactionInfo"])
    #expect(transaction.advancedCommerceInfo?.items?.first?.refunds?.map(\.refundAmount) == [5])
    #expect(transaction.revocationDate == nil)
    #expect(scene.appStore.sentNotifications.last?.type == .refund)
  }

  @Test("an app without Apple's admission is unauthorised")
  func admission() async throws {
    let scene = try ServerAPIScene { $0.offersAdvancedCommerce = false }
    let monthly = try scene.appStore.buy("reader.monthly")
    #expect(
      try await scene.code(.post, path("subscription/cancel", monthly.transactionID), body())
        == 4_010_000)
  }
}
