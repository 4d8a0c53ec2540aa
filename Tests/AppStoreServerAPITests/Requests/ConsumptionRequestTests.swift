import AppStoreServerAPI
import JSONValues
import ReceiptModels
import Testing

@Suite("Consumption data")
struct ConsumptionRequestTests {
  static let data = ConsumptionRequest(
    customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false)
  static let v1 = ConsumptionRequestV1(
    customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false)

  static func outOfRange(
    _ allowed: ClosedRange<Int>, _ found: Int
  ) -> InvalidRequest.Fault { .outOfRange(allowed: allowed, found: found) }

  static let cases: [RequestCase] = [
    .accepted("without a percentage", data),
    .accepted("0", data) { $0.consumptionPercentage = 0 },
    .accepted("100 000", data) { $0.consumptionPercentage = 100_000 },
    .refused("100 001", data, "consumptionPercentage", outOfRange(0...100_000, 100_001)) {
      $0.consumptionPercentage = 100_001
    },
    .refused("-1", data, "consumptionPercentage", outOfRange(0...100_000, -1)) {
      $0.consumptionPercentage = -1
    },
    .refused("without consent", data, "customerConsented", .notAccepted) {
      $0.customerConsented = false
    },
    .refused("an unknown delivery", data, "deliveryStatus", .notAccepted) {
      $0.deliveryStatus = DeliveryStatus(rawValue: "LOST")
    },
    .refused("an unknown preference", data, "refundPreference", .notAccepted) {
      $0.refundPreference = RefundPreference(rawValue: "GRANT")
    },
    .refused(
      "not delivered, consumed", data, "consumptionPercentage",
      .inconsistent(with: "deliveryStatus")
    ) {
      $0.deliveryStatus = .undeliveredOther
      $0.consumptionPercentage = 1
    },
    .accepted("not delivered, not consumed", data) {
      $0.deliveryStatus = .undeliveredServerOutage
      $0.consumptionPercentage = 0
    },
    .refused("prorated of 0", data, "consumptionPercentage", outOfRange(1...99_999, 0)) {
      $0.refundPreference = .grantProrated
      $0.consumptionPercentage = 0
    },
    .refused(
      "prorated of 100 000", data, "consumptionPercentage", outOfRange(1...99_999, 100_000)
    ) {
      $0.refundPreference = .grantProrated
      $0.consumptionPercentage = 100_000
    },
    .accepted("prorated of 1", data) {
      $0.refundPreference = .grantProrated
      $0.consumptionPercentage = 1
    },
    .accepted("prorated of 99 999", data) {
      $0.refundPreference = .grantProrated
      $0.consumptionPercentage = 99_999
    },
    .accepted("version 1", v1),
    .refused("version 1 without consent", v1, "customerConsented", .notAccepted) {
      $0.customerConsented = false
    },
    .refused("consumption 4", v1, "consumptionStatus", outOfRange(0...3, 4)) {
      $0.consumptionStatus = ConsumptionStatus(rawValue: 4)
    },
    .refused("platform 3", v1, "platform", outOfRange(0...2, 3)) {
      $0.platform = ConsumptionPlatform(rawValue: 3)
    },
    .refused("delivery 6", v1, "deliveryStatus", outOfRange(0...5, 6)) {
      $0.deliveryStatus = DeliveryStatusV1(rawValue: 6)
    },
    .refused("tenure 8", v1, "accountTenure", outOfRange(0...7, 8)) {
      $0.accountTenure = AccountTenure(rawValue: 8)
    },
    .refused("play time 8", v1, "playTime", outOfRange(0...7, 8)) {
      $0.playTime = PlayTime(rawValue: 8)
    },
    .refused("refunded 8", v1, "lifetimeDollarsRefunded", outOfRange(0...7, 8)) {
      $0.lifetimeDollarsRefunded = LifetimeDollarsRefunded(rawValue: 8)
    },
    .refused("purchased 8", v1, "lifetimeDollarsPurchased", outOfRange(0...7, 8)) {
      $0.lifetimeDollarsPurchased = LifetimeDollarsPurchased(rawValue: 8)
    },
    .refused("user 5", v1, "userStatus", outOfRange(0...4, 5)) {
      $0.userStatus = UserStatus(rawValue: 5)
    },
    .refused("preference 4", v1, "refundPreference", outOfRange(0...3, 4)) {
      $0.refundPreference = RefundPreferenceV1(rawValue: 4)
    },
    .accepted("the last of each", v1) {
      $0.consumptionStatus = .fullyConsumed
      $0.platform = .nonApple
      $0.deliveryStatus = .other
      $0.accountTenure = .over365Days
      $0.playTime = .over16Days
      $0.lifetimeDollarsRefunded = .from2000
      $0.lifetimeDollarsPurchased = .from2000
      $0.userStatus = .limitedAccess
      $0.refundPreference = .noPreference
    },
  ]

  @Test("are checked against themselves", arguments: cases)
  func limits(_ request: RequestCase) { request.check() }

  static func refusal(
    of data: ConsumptionRequest, change: (inout Transaction) -> Void
  ) -> InvalidRequest? {
    var transaction = Transaction()
    change(&transaction)
    do throws(InvalidRequest) {
      try data.validate(for: transaction)
      return nil
    } catch {
      return error
    }
  }

  @Test("are not supported for shared and assigned purchases")
  func ownership() {
    for owner in [InAppOwnershipType.familyShared, .assigned] {
      #expect(
        Self.refusal(of: Self.data) { $0.inAppOwnershipType = owner }
          == InvalidRequest("transactionId", .notAllowed(with: "inAppOwnershipType")))
    }
    #expect(Self.refusal(of: Self.data) { $0.inAppOwnershipType = .purchased } == nil)
  }

  @Test("take version 1 for Advanced Commerce")
  func advancedCommerce() {
    #expect(
      Self.refusal(of: Self.data) {
        $0.advancedCommerceInfo = AdvancedCommerceTransactionInfo()
      } == InvalidRequest("transactionId", .notAllowed(with: "advancedCommerceInfo")))
  }

  @Test("have no percentage for subscriptions, and one for other prorated refunds")
  func types() {
    var data = Self.data
    data.refundPreference = .grantProrated
    #expect(Self.refusal(of: data) { $0.type = .autoRenewableSubscription } == nil)
    #expect(
      Self.refusal(of: data) { $0.type = .consumable }
        == InvalidRequest("consumptionPercentage", .missing))
    data.consumptionPercentage = 40_000
    #expect(
      Self.refusal(of: data) { $0.type = .autoRenewableSubscription }
        == InvalidRequest("consumptionPercentage", .notAllowed(with: "type")))
    #expect(Self.refusal(of: data) { $0.type = .consumable } == nil)
    #expect(Self.refusal(of: data) { _ in } == nil)
    #expect(throws: Never.self) { try data.validate(for: nil) }
    data.customerConsented = false
    #expect(
      Self.refusal(of: data) { $0.type = .consumable }
        == InvalidRequest("customerConsented", .notAccepted))
  }

  @Test("of version 1 read an empty account as none")
  func emptyAccount() throws {
    let json = Self.v1.json
    #expect(json["appAccountToken"] == .string(""))
    #expect(try ConsumptionRequestV1(json: json) == Self.v1)
  }
}
