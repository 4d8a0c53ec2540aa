import JSONValues
import Foundation
import ReceiptModels
import Testing

/// A change to a valid request, and the expected failure of `validate()`.
struct LimitCase<Request: AdvancedCommerceInAppRequest>: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var failure: AdvancedCommerceRequestFailure?
  var change: @Sendable (inout Request) -> Void

  static func refused(
    _ failure: AdvancedCommerceRequestFailure, _ change: @escaping @Sendable (inout Request) -> Void
  ) -> LimitCase {
    LimitCase(testDescription: failure.description, failure: failure, change: change)
  }

  static func accepted(
    _ name: String, _ change: @escaping @Sendable (inout Request) -> Void
  ) -> LimitCase {
    LimitCase(testDescription: name, failure: nil, change: change)
  }

  func check(_ lawful: Request) {
    var request = lawful
    change(&request)
    let request2 = request
    if let failure {
      #expect(throws: failure) { try request2.validate() }
    } else {
      #expect(throws: Never.self) { try request2.validate() }
    }
  }
}

/// Apple's limits: description ≤ 45, display name ≤ 30, SKU ≤ 128 characters, lists not
/// empty, 1 to 12 periods.
@Suite("Limits of Advanced Commerce requests")
struct AdvancedCommerceLimitTests {
  static let info = AdvancedCommerceRequestInfo(
    requestReferenceID: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))

  static func text(_ count: Int) -> String { String(repeating: "é", count: count) }

  static func offer(_ periodCount: Int) -> AdvancedCommerceOffer {
    AdvancedCommerceOffer(
      period: .oneMonth, periodCount: periodCount, price: 990, reason: .acquisition)
  }

  // MARK: One-time charge

  static let charge = AdvancedCommerceOneTimeChargeCreateRequest(
    requestInfo: info, currency: "EUR",
    item: AdvancedCommerceOneTimeChargeItem(
      sku: "coins", displayName: "Coins", description: "A bag of coins", price: 990),
    taxCode: "games")

  static let chargeCases: [LimitCase<AdvancedCommerceOneTimeChargeCreateRequest>] = [
    .accepted("as it is") { _ in },
    .accepted("SKU of 128") { $0.item.sku = text(128) },
    .accepted("name of 30") { $0.item.displayName = text(30) },
    .accepted("description of 45") { $0.item.description = text(45) },
    .accepted("a family of four is one character") {
      $0.item.displayName = String(repeating: "👨‍👩‍👧‍👦", count: 30)
    },
    .refused(.tooLong(field: "item.SKU", limit: 128, found: 129)) { $0.item.sku = text(129) },
    .refused(.tooLong(field: "item.displayName", limit: 30, found: 31)) {
      $0.item.displayName = text(31)
    },
    .refused(.tooLong(field: "item.description", limit: 45, found: 46)) {
      $0.item.description = text(46)
    },
  ]

  @Test("of a one-time charge", arguments: chargeCases)
  func oneTimeCharge(_ one: LimitCase<AdvancedCommerceOneTimeChargeCreateRequest>) {
    one.check(Self.charge)
  }

  // MARK: Creation

  static let creation = AdvancedCommerceSubscriptionCreateRequest(
    requestInfo: info, currency: "EUR",
    descriptors: AdvancedCommerceDescriptors(description: "All channels", displayName: "All"),
    items: [
      AdvancedCommerceSubscriptionCreateItem(
        sku: "news", displayName: "News", description: "The news channel", price: 1990),
      AdvancedCommerceSubscriptionCreateItem(
        sku: "sport", displayName: "Sport", description: "The sports channel", price: 2990),
    ],
    period: .oneMonth, taxCode: "video")

  static let creationCases: [LimitCase<AdvancedCommerceSubscriptionCreateRequest>] = [
    .accepted("as it is") { _ in },
    .accepted("1 period") { $0.items[0].offer = offer(1) },
    .accepted("12 periods") { $0.items[0].offer = offer(12) },
    .accepted("descriptors of 45 and 30") {
      $0.descriptors.description = text(45)
      $0.descriptors.displayName = text(30)
    },
    .refused(.empty(field: "items")) { $0.items = [] },
    .refused(.tooLong(field: "descriptors.description", limit: 45, found: 46)) {
      $0.descriptors.description = text(46)
    },
    .refused(.tooLong(field: "descriptors.displayName", limit: 30, found: 31)) {
      $0.descriptors.displayName = text(31)
    },
    .refused(.tooLong(field: "items[0].SKU", limit: 128, found: 129)) {
      $0.items[0].sku = text(129)
    },
    .refused(.tooLong(field: "items[1].displayName", limit: 30, found: 31)) {
      $0.items[1].displayName = text(31)
    },
    .refused(.tooLong(field: "items[1].description", limit: 45, found: 300)) {
      $0.items[1].description = text(300)
    },
    .refused(.outOfRange(field: "items[0].offer.periodCount", allowed: 1...12, found: 0)) {
      $0.items[0].offer = offer(0)
    },
    .refused(.outOfRange(field: "items[1].offer.periodCount", allowed: 1...12, found: 13)) {
      $0.items[1].offer = offer(13)
    },
    .refused(.outOfRange(field: "items[1].offer.periodCount", allowed: 1...12, found: -1)) {
      $0.items[1].offer = offer(-1)
    },
  ]

  @Test("of a new subscription", arguments: creationCases)
  func create(_ one: LimitCase<AdvancedCommerceSubscriptionCreateRequest>) {
    one.check(Self.creation)
  }

  // MARK: Modification

  static let modification: AdvancedCommerceSubscriptionModifyInAppRequest = {
    var request = AdvancedCommerceSubscriptionModifyInAppRequest(
      requestInfo: info, transactionID: "1", retainBillingCycle: false)
    request.addItems = [
      AdvancedCommerceSubscriptionAddItem(
        sku: "film", displayName: "Film", description: "The film channel", price: 3990)
    ]
    request.changeItems = [
      AdvancedCommerceSubscriptionChangeItem(
        currentSKU: "news", sku: "news-hd", displayName: "News", description: "Sharper news",
        price: 2490, effective: .immediately, reason: .upgrade)
    ]
    request.removeItems = [AdvancedCommerceItemReference(sku: "sport")]
    request.descriptors = AdvancedCommerceDescriptorsChange(effective: .immediately)
    return request
  }()

  static let modificationCases: [LimitCase<AdvancedCommerceSubscriptionModifyInAppRequest>] = [
    .accepted("as it is") { _ in },
    .accepted("nothing to change") {
      $0.addItems = nil
      $0.changeItems = nil
      $0.removeItems = nil
      $0.descriptors = nil
    },
    .accepted("12 periods") { $0.changeItems?[0].offer = offer(12) },
    .refused(.empty(field: "addItems")) { $0.addItems = [] },
    .refused(.empty(field: "changeItems")) { $0.changeItems = [] },
    .refused(.empty(field: "removeItems")) { $0.removeItems = [] },
    .refused(.tooLong(field: "descriptors.description", limit: 45, found: 46)) {
      $0.descriptors?.description = text(46)
    },
    .refused(.tooLong(field: "descriptors.displayName", limit: 30, found: 31)) {
      $0.descriptors?.displayName = text(31)
    },
    .refused(.tooLong(field: "addItems[0].SKU", limit: 128, found: 129)) {
      $0.addItems?[0].sku = text(129)
    },
    .refused(.tooLong(field: "addItems[0].displayName", limit: 30, found: 31)) {
      $0.addItems?[0].displayName = text(31)
    },
    .refused(.tooLong(field: "addItems[0].description", limit: 45, found: 46)) {
      $0.addItems?[0].description = text(46)
    },
    .refused(.outOfRange(field: "addItems[0].offer.periodCount", allowed: 1...12, found: 13)) {
      $0.addItems?[0].offer = offer(13)
    },
    .refused(.tooLong(field: "changeItems[0].currentSKU", limit: 128, found: 129)) {
      $0.changeItems?[0].currentSKU = text(129)
    },
    .refused(.tooLong(field: "changeItems[0].SKU", limit: 128, found: 129)) {
      $0.changeItems?[0].sku = text(129)
    },
    .refused(.tooLong(field: "changeItems[0].displayName", limit: 30, found: 31)) {
      $0.changeItems?[0].displayName = text(31)
    },
    .refused(.tooLong(field: "changeItems[0].description", limit: 45, found: 46)) {
      $0.changeItems?[0].description = text(46)
    },
    .refused(.outOfRange(field: "changeItems[0].offer.periodCount", allowed: 1...12, found: 0)) {
      $0.changeItems?[0].offer = offer(0)
    },
    .refused(.tooLong(field: "removeItems[0].SKU", limit: 128, found: 129)) {
      $0.removeItems?[0].sku = text(129)
    },
  ]

  @Test("of a change", arguments: modificationCases)
  func modify(_ one: LimitCase<AdvancedCommerceSubscriptionModifyInAppRequest>) {
    one.check(Self.modification)
  }

  // MARK: Reactivation

  static let reactivation = AdvancedCommerceSubscriptionReactivateInAppRequest(
    requestInfo: info, transactionID: "1")

  static let reactivationCases: [LimitCase<AdvancedCommerceSubscriptionReactivateInAppRequest>] = [
    .accepted("the whole subscription") { _ in },
    .accepted("SKU of 128") { $0.items = [AdvancedCommerceItemReference(sku: text(128))] },
    .refused(.empty(field: "items")) { $0.items = [] },
    .refused(.tooLong(field: "items[1].SKU", limit: 128, found: 129)) {
      $0.items = ["a", text(129)].map(AdvancedCommerceItemReference.init(sku:))
    },
  ]

  @Test("of a reactivation", arguments: reactivationCases)
  func reactivate(_ one: LimitCase<AdvancedCommerceSubscriptionReactivateInAppRequest>) {
    one.check(Self.reactivation)
  }

  // MARK: Form

  @Test("JSON of another operation is read, kept, and refused by validation")
  func otherOperation() throws {
    let json = Self.reactivation.json.replacing(
      [.member("operation")], by: .string("MODIFY_SUBSCRIPTION"))
    let request = try AdvancedCommerceSubscriptionReactivateInAppRequest(json: json)
    #expect(request.json == json)
    let failure = AdvancedCommerceRequestFailure.operation(
      expected: .reactivateSubscription, found: .modifySubscription)
    #expect(throws: failure) { try request.validate() }
  }

  @Test("JSON of another version is read, kept, and refused by validation")
  func otherVersion() throws {
    let json = Self.charge.json.replacing([.member("version")], by: .string("2"))
    let request = try AdvancedCommerceOneTimeChargeCreateRequest(json: json)
    #expect(request.json == json)
    #expect(throws: AdvancedCommerceRequestFailure.version(expected: "1", found: "2")) {
      try request.validate()
    }
  }

  @Test("a request without operation and version gets those of its type")
  func missingForm() throws {
    let json = Self.creation.json
      .replacing([.member("operation")], by: nil).replacing([.member("version")], by: nil)
    let request = try AdvancedCommerceSubscriptionCreateRequest(json: json)
    #expect(request == Self.creation)
    #expect(request.operation == .createSubscription)
    #expect(request.version == "1")
  }

  @Test(
    "a failure names the field and the limit",
    arguments: [
      (
        AdvancedCommerceRequestFailure.tooLong(field: "item.SKU", limit: 128, found: 129),
        "item.SKU: at most 128 characters, found 129"
      ),
      (.empty(field: "items"), "items: at least one element, found none"),
      (
        .outOfRange(field: "items[0].offer.periodCount", allowed: 1...12, found: 13),
        "items[0].offer.periodCount: 1 to 12, found 13"
      ),
      (
        .operation(expected: .createSubscription, found: .modifySubscription),
        "operation: expected CREATE_SUBSCRIPTION, found MODIFY_SUBSCRIPTION"
      ),
      (.version(expected: "1", found: "2"), "version: expected 1, found 2"),
    ])
  func failureText(failure: AdvancedCommerceRequestFailure, text: String) {
    #expect(failure.description == text)
  }
}
