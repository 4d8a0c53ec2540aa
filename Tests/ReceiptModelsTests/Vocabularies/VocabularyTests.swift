import Foundation
import JSONValues
import ReceiptModels
import Testing

/// A vocabulary and the raw values that the contract lists for it.
struct VocabularyCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// The expected contents of `allCases`, in this order, as JSON.
  var documented: [JSONValue]
  var allCases: [JSONValue]
  /// A value that Apple does not document.
  var unknown: JSONValue
  /// Decodes an array of values, says which are known, and encodes the array again.
  var knownAfterDecoding: @Sendable (Data) throws -> [Bool]
  var codedAgain: @Sendable (Data) throws -> Data
  /// A dictionary with one member per value, numbered from 0, and what it decodes to.
  var dictionary: @Sendable (Data) throws -> Data
  var dictionarySurvives: @Sendable (Data) throws -> Bool
  var descriptions: [String]

  private init<Value: Vocabulary>(
    _ type: Value.Type, documented: [JSONValue], unknown: JSONValue,
    json: (Value) -> JSONValue
  ) {
    testDescription = "\(type)"
    self.documented = documented
    self.unknown = unknown
    allCases = Value.allCases.map(json)
    descriptions = Value.allCases.map(\.description)
    knownAfterDecoding = { try JSONDecoder().decode([Value].self, from: $0).map(\.isKnown) }
    codedAgain = { try JSONEncoder().encode(JSONDecoder().decode([Value].self, from: $0)) }
    dictionary = { try JSONEncoder().encode(Self.numbered(Value.self, in: $0)) }
    dictionarySurvives = {
      let values = try Self.numbered(Value.self, in: $0)
      return try JSONDecoder().decode([Value: Int].self, from: JSONEncoder().encode(values))
        == values
    }
  }

  private static func numbered<Value: Vocabulary>(
    _ type: Value.Type, in array: Data
  ) throws -> [Value: Int] {
    let values = try JSONDecoder().decode([Value].self, from: array)
    return Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, $0) })
  }

  init<Value: StringVocabulary>(_ type: Value.Type, _ documented: String...) {
    self.init(
      type, documented: documented.map(JSONValue.string), unknown: .string("NOT_YET_INVENTED"),
      json: { .string($0.rawValue) })
  }

  init<Value: IntegerVocabulary>(_ type: Value.Type, _ documented: Int...) {
    self.init(
      type, documented: documented.map(JSONValue.integer), unknown: .integer(4_711),
      json: { .integer($0.rawValue) })
  }

  /// All values, the unknown one last, as the bytes of a JSON array.
  var array: Data { Data(JSONValue.array(documented + [unknown]).serialized) }
}

@Suite("Vocabularies")
struct VocabularyTests {
  static let all: [VocabularyCase] = [
    VocabularyCase(
      NotificationType.self,
      "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED",
      "DID_RENEW", "EXPIRED", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE",
      "REFUND", "REFUND_DECLINED", "REFUND_REVERSED", "CONSUMPTION_REQUEST", "RENEWAL_EXTENDED",
      "RENEWAL_EXTENSION", "REVOKE", "TEST", "EXTERNAL_PURCHASE_TOKEN", "ONE_TIME_CHARGE",
      "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE"),
    VocabularyCase(
      NotificationSubtype.self,
      "INITIAL_BUY", "RESUBSCRIBE", "DOWNGRADE", "UPGRADE", "AUTO_RENEW_ENABLED",
      "AUTO_RENEW_DISABLED", "VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "GRACE_PERIOD",
      "PENDING", "ACCEPTED", "BILLING_RECOVERY", "PRODUCT_NOT_FOR_SALE", "SUMMARY", "FAILURE",
      "UNREPORTED", "ACTIVE_TOKEN_REMINDER", "CREATED"),
    VocabularyCase(SubscriptionStatus.self, 1, 2, 3, 4, 5),
    VocabularyCase(
      VerifyReceiptStatus.self, 0, 21000, 21001, 21002, 21003, 21004, 21005, 21006, 21007, 21008,
      21009, 21010),
    VocabularyCase(AppStoreEnvironment.self, "Production", "Sandbox", "Xcode", "LocalTesting"),
    VocabularyCase(
      NotificationTypeV1.self,
      "INITIAL_BUY", "DID_RENEW", "INTERACTIVE_RENEWAL", "DID_RECOVER", "RENEWAL",
      "DID_FAIL_TO_RENEW", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
      "PRICE_INCREASE_CONSENT", "CANCEL", "REFUND", "REVOKE", "CONSUMPTION_REQUEST"),
    VocabularyCase(Tier.self, "standard", "premium"),
    VocabularyCase(BillingCycle.self, "month", "year"),
    VocabularyCase(PurchasePlatform.self, "iOS", "macOS", "tvOS", "visionOS"),
    VocabularyCase(
      ProductType.self,
      "Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription"),
    VocabularyCase(InAppOwnershipType.self, "PURCHASED", "FAMILY_SHARED", "ASSIGNED"),
    VocabularyCase(TransactionReason.self, "PURCHASE", "RENEWAL"),
    VocabularyCase(OfferType.self, 1, 2, 3, 4),
    VocabularyCase(
      OfferDiscountType.self, "FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"),
    VocabularyCase(RevocationReason.self, 0, 1),
    VocabularyCase(
      RevocationType.self, "REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE", "ASSIGNMENT_REVOKE"),
    VocabularyCase(ExpirationIntent.self, 1, 2, 3, 4, 5),
    VocabularyCase(AutoRenewStatus.self, 0, 1),
    VocabularyCase(PriceIncreaseStatus.self, 0, 1),
    VocabularyCase(BillingPlanType.self, "BILLED_UPFRONT", "MONTHLY"),
    VocabularyCase(ExternalPurchaseTokenType.self, "ACQUISITION", "SERVICES"),
    VocabularyCase(
      ConsumptionRequestReason.self,
      "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER"),
    VocabularyCase(AdvancedCommercePeriod.self, "P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"),
    VocabularyCase(
      AdvancedCommerceOfferPeriod.self,
      "P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P9M", "P1Y"),
    VocabularyCase(AdvancedCommerceOfferReason.self, "ACQUISITION", "WIN_BACK", "RETENTION"),
    VocabularyCase(AdvancedCommerceReason.self, "UPGRADE", "DOWNGRADE", "APPLY_OFFER"),
    VocabularyCase(AdvancedCommerceEffective.self, "IMMEDIATELY", "NEXT_BILL_CYCLE"),
    VocabularyCase(AdvancedCommerceRefundType.self, "FULL", "PRORATED", "CUSTOM"),
    VocabularyCase(
      AdvancedCommerceRefundReason.self,
      "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
      "MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE"),
    VocabularyCase(
      AdvancedCommercePriceIncreaseStatus.self, "SCHEDULED", "PENDING", "ACCEPTED"),
    VocabularyCase(
      AdvancedCommerceOperation.self,
      "CREATE_ONE_TIME_CHARGE", "CREATE_SUBSCRIPTION", "MODIFY_SUBSCRIPTION",
      "REACTIVATE_SUBSCRIPTION"),
  ]

  @Test("list the raw values that Apple documents", arguments: all)
  func documentedValues(_ vocabulary: VocabularyCase) {
    #expect(vocabulary.allCases == vocabulary.documented)
  }

  @Test("tell documented values from unknown ones", arguments: all)
  func known(_ vocabulary: VocabularyCase) throws {
    let expected = vocabulary.documented.map { _ in true } + [false]
    #expect(try vocabulary.knownAfterDecoding(vocabulary.array) == expected)
  }

  @Test("keep every value through Codable, unknown ones too", arguments: all)
  func codable(_ vocabulary: VocabularyCase) throws {
    let again = try vocabulary.codedAgain(vocabulary.array)
    #expect(
      try JSONValue(parsing: Array(again)) == .array(vocabulary.documented + [vocabulary.unknown]))
  }

  @Test("key a dictionary that is written as an object", arguments: all)
  func dictionaryKeys(_ vocabulary: VocabularyCase) throws {
    let names = (vocabulary.documented + [vocabulary.unknown]).map(Self.name)
    let numbers = names.indices.map(JSONValue.integer)
    let object = JSONValue.object(Dictionary(uniqueKeysWithValues: zip(names, numbers)))
    let encoded = try vocabulary.dictionary(vocabulary.array)
    #expect(try JSONValue(parsing: Array(encoded)) == object)
    #expect(try vocabulary.dictionarySurvives(vocabulary.array))
  }

  @Test("describe themselves by the raw value", arguments: all)
  func descriptions(_ vocabulary: VocabularyCase) {
    #expect(vocabulary.descriptions == vocabulary.documented.map(Self.name))
  }

  private static func name(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    default: ""
    }
  }
}

/// The name of a static member promises a meaning, which the contract gives to the number.
@Suite("Numbers of vocabularies")
struct VocabularyMeaningTests {
  @Test("subscription states: active, expired, retry, grace, revoked")
  func status() {
    #expect(
      SubscriptionStatus.allCases
        == [.active, .expired, .billingRetry, .billingGracePeriod, .revoked])
    #expect(SubscriptionStatus.billingRetry.rawValue == 3)
    #expect(SubscriptionStatus.billingGracePeriod.rawValue == 4)
  }

  @Test("offers: introductory, promotional, offer code, win-back")
  func offer() {
    #expect(OfferType.allCases == [.introductory, .promotional, .offerCode, .winBack])
  }

  @Test("revocations: 1 is an issue in the app")
  func revocation() {
    #expect(RevocationReason.other.rawValue == 0)
    #expect(RevocationReason.issueInApp.rawValue == 1)
  }

  @Test("expirations: customer, billing, price, product, other")
  func expiration() {
    #expect(
      ExpirationIntent.allCases
        == [
          .customerCancelled, .billingError, .priceIncreaseNotConsented, .productNotAvailable,
          .other,
        ])
  }

  @Test("flags: 1 is on, or consented")
  func flags() {
    #expect(AutoRenewStatus.off.rawValue == 0)
    #expect(AutoRenewStatus.on.rawValue == 1)
    #expect(PriceIncreaseStatus.notAnswered.rawValue == 0)
    #expect(PriceIncreaseStatus.consented.rawValue == 1)
  }
}
