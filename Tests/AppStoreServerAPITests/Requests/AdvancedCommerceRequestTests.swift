import AppStoreServerAPI
import Foundation
import ReceiptModels
import StorekeeperFixtures
import Testing

@Suite("Requests of Advanced Commerce")
struct AdvancedCommerceRequestTests {
  static let info = AdvancedCommerceRequestInfo(requestReferenceID: RequestLimitTests.id)
  static let sku = String.letters(128)
  static let name = String.letters(30)
  static let text = String.letters(45)

  static let metadata: AdvancedCommerceSubscriptionChangeMetadataRequest = {
    var item = AdvancedCommerceSubscriptionChangeMetadataItem(
      currentSKU: sku, effective: .immediately)
    item.sku = sku
    item.displayName = name
    item.description = text
    var descriptors = AdvancedCommerceSubscriptionChangeMetadataDescriptors(
      effective: .nextBillCycle)
    descriptors.displayName = name
    descriptors.description = text
    var request = AdvancedCommerceSubscriptionChangeMetadataRequest(requestInfo: info)
    request.items = [item]
    request.descriptors = descriptors
    request.taxCode = "t"
    request.storefront = "USA"
    return request
  }()
  static let price = AdvancedCommerceSubscriptionPriceChangeRequest(
    requestInfo: info,
    items: [AdvancedCommerceSubscriptionPriceChangeItem(sku: sku, price: 0)])
  static let migration = AdvancedCommerceSubscriptionMigrateRequest(
    requestInfo: info,
    descriptors: AdvancedCommerceDescriptors(description: text, displayName: name),
    items: [
      AdvancedCommerceSubscriptionMigrateItem(sku: sku, displayName: name, description: text)
    ], targetProductID: "p", taxCode: "t")
  static let revocation = AdvancedCommerceSubscriptionRevokeRequest(
    requestInfo: info, refundReason: .legal, refundType: .prorated, refundRiskingPreference: true)
  static let refund = AdvancedCommerceRequestRefundRequest(
    requestInfo: info,
    items: [
      AdvancedCommerceRequestRefundItem(
        sku: sku, refundReason: .other, refundType: .full, revoke: false)
    ], refundRiskingPreference: false)

  static let cases: [RequestCase] = [
    .accepted("cancel", AdvancedCommerceSubscriptionCancelRequest(requestInfo: info)),
    .refused(
      "cancel elsewhere", AdvancedCommerceSubscriptionCancelRequest(requestInfo: info),
      "storefront", .notCountryCode
    ) { $0.storefront = "usa" },
    .accepted("metadata at the limits", metadata),
    .accepted("only a tax category", metadata) {
      $0.items = nil
      $0.descriptors = nil
    },
    .refused("no change", metadata, "descriptors", .missing) {
      $0.items = nil
      $0.descriptors = nil
      $0.taxCode = nil
    },
    .refused("no items", metadata, "items", .empty) { $0.items = [] },
    .refused("an empty tax category", metadata, "taxCode", .empty) { $0.taxCode = "" },
    .refused("no text", metadata, "descriptors.displayName", .missing) {
      $0.descriptors?.displayName = nil
      $0.descriptors?.description = nil
    },
    .refused(
      "a name of 31", metadata, "descriptors.displayName", .tooLong(limit: 30, found: 31)
    ) { $0.descriptors?.displayName = .letters(31) },
    .refused(
      "a description of 46", metadata, "descriptors.description", .tooLong(limit: 45, found: 46)
    ) { $0.descriptors?.description = .letters(46) },
    .refused("an unknown time", metadata, "descriptors.effective", .notAccepted) {
      $0.descriptors?.effective = AdvancedCommerceEffective(rawValue: "LATER")
    },
    .refused(
      "an item name of 31", metadata, "items[0].displayName", .tooLong(limit: 30, found: 31)
    ) { $0.items?[0].displayName = .letters(31) },
    .refused(
      "an item description of 46", metadata, "items[0].description",
      .tooLong(limit: 45, found: 46)
    ) { $0.items?[0].description = .letters(46) },
    .refused("an SKU of 129", metadata, "items[0].SKU", .tooLong(limit: 128, found: 129)) {
      $0.items?[0].sku = .letters(129)
    },
    .refused(
      "a present SKU of 129", metadata, "items[0].currentSKU", .tooLong(limit: 128, found: 129)
    ) { $0.items?[0].currentSKU = .letters(129) },
    .refused("an item's unknown time", metadata, "items[0].effective", .notAccepted) {
      $0.items?[0].effective = AdvancedCommerceEffective(rawValue: "")
    },

    .accepted("a price of 0", price),
    .refused("no prices", price, "items", .empty) { $0.items = [] },
    .refused(
      "a negative price", price, "items[0].price", .outOfRange(allowed: 0...Int.max, found: -1)
    ) { $0.items[0].price = -1 },
    .refused(
      "a dependent SKU of 129", price, "items[0].dependentSKUs[1]",
      .tooLong(limit: 128, found: 129)
    ) { $0.items[0].dependentSKUs = ["a", .letters(129)] },
    .refused("an empty SKU", price, "items[0].SKU", .empty) { $0.items[0].sku = "" },
    .refused("a currency of two letters", price, "currency", .notCurrencyCode) {
      $0.currency = "US"
    },

    .accepted("a migration at the limits", migration),
    .refused("a migration without items", migration, "items", .empty) { $0.items = [] },
    .refused("no renewal items", migration, "renewalItems", .empty) { $0.renewalItems = [] },
    .refused(
      "a renewal item's name of 31", migration, "renewalItems[0].displayName",
      .tooLong(limit: 30, found: 31)
    ) {
      $0.renewalItems = [
        AdvancedCommerceSubscriptionMigrateRenewalItem(
          sku: "s", displayName: .letters(31), description: "")
      ]
    },
    .refused(
      "a migrated SKU of 129", migration, "items[0].SKU", .tooLong(limit: 128, found: 129)
    ) { $0.items[0].sku = .letters(129) },
    .refused(
      "a migrated description of 46", migration, "items[0].description",
      .tooLong(limit: 45, found: 46)
    ) { $0.items[0].description = .letters(46) },
    .refused(
      "a migration's name of 31", migration, "descriptors.displayName",
      .tooLong(limit: 30, found: 31)
    ) { $0.descriptors.displayName = .letters(31) },
    .refused(
      "a migration's description of 46", migration, "descriptors.description",
      .tooLong(limit: 45, found: 46)
    ) { $0.descriptors.description = .letters(46) },
    .refused("no target", migration, "targetProductId", .empty) { $0.targetProductID = "" },
    .refused("no tax category", migration, "taxCode", .empty) { $0.taxCode = "" },

    .accepted("a prorated revocation", revocation),
    .accepted("a full revocation", revocation) { $0.refundType = .full },
    .refused("a custom revocation", revocation, "refundType", .notAccepted) {
      $0.refundType = .custom
    },
    .refused("an unknown reason", revocation, "refundReason", .notAccepted) {
      $0.refundReason = AdvancedCommerceRefundReason(rawValue: "WHY")
    },

    .accepted("a full refund", refund),
    .accepted("a custom refund", refund) {
      $0.items[0].refundType = .custom
      $0.items[0].refundAmount = 0
    },
    .refused("a custom refund of nothing", refund, "items[0].refundAmount", .missing) {
      $0.items[0].refundType = .custom
    },
    .refused(
      "a full refund of an amount", refund, "items[0].refundAmount",
      .notAllowed(with: "items[0].refundType")
    ) { $0.items[0].refundAmount = 1 },
    .refused(
      "a negative refund", refund, "items[0].refundAmount",
      .outOfRange(allowed: 0...Int.max, found: -1)
    ) {
      $0.items[0].refundType = .custom
      $0.items[0].refundAmount = -1
    },
    .refused("nothing to refund", refund, "items", .empty) { $0.items = [] },
    .refused("an unknown extent", refund, "items[0].refundType", .notAccepted) {
      $0.items[0].refundType = AdvancedCommerceRefundType(rawValue: "HALF")
    },
    .refused("an unknown reason of a refund", refund, "items[0].refundReason", .notAccepted) {
      $0.items[0].refundReason = AdvancedCommerceRefundReason(rawValue: "WHY")
    },
    .refused("a refund in small letters", refund, "currency", .notCurrencyCode) {
      $0.currency = "usd"
    },
  ]

  @Test("are checked with their path before anything is sent", arguments: cases)
  func limits(_ request: RequestCase) { request.check() }

  @Test(
    "are accepted as recorded",
    .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
  func recorded() throws {
    let folder = "models/advancedCommerce"
    let requests: [any CheckedRequest] = [
      try AdvancedCommerceRequestRefundRequest(
        json: RecordedBodyTests.json(folder + "RequestRefundRequest")),
      try AdvancedCommerceSubscriptionCancelRequest(
        json: RecordedBodyTests.json(folder + "SubscriptionCancelRequest")),
      try AdvancedCommerceSubscriptionChangeMetadataRequest(
        json: RecordedBodyTests.json(folder + "SubscriptionChangeMetadataRequest")),
      try AdvancedCommerceSubscriptionMigrateRequest(
        json: RecordedBodyTests.json(folder + "SubscriptionMigrateRequest")),
      try AdvancedCommerceSubscriptionPriceChangeRequest(
        json: RecordedBodyTests.json(folder + "SubscriptionPriceChangeRequest")),
      try AdvancedCommerceSubscriptionRevokeRequest(
        json: RecordedBodyTests.json(folder + "SubscriptionRevokeRequest")),
    ]
    for request in requests { #expect(throws: Never.self) { try request.validate() } }
  }
}
