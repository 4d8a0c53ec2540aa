import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels
import Testing

/// A recorded body and the model that it should be read as.
struct ModelFixture: Sendable, CustomTestStringConvertible {
  var name: String
  var contract: ContractModel
  /// Members that our model writes although the file lacks them.
  var added: [String: JSONValue] = [:]
  var testDescription: String { name }
}

@Suite("Recorded bodies of models", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct ModelFixtureTests {
  /// The recorded in-app requests lack `operation` and `version`, which go into the signed text.
  static func form(_ operation: String) -> [String: JSONValue] {
    ["operation": .string(operation), "version": .string("1")]
  }

  static let covered: [ModelFixture] = [
    ModelFixture(name: "advancedCommerceOffer", contract: .advancedCommerceOffer),
    ModelFixture(
      name: "advancedCommerceOneTimeChargeCreateRequest", contract: .oneTimeChargeCreateRequest,
      added: form("CREATE_ONE_TIME_CHARGE")),
    ModelFixture(name: "advancedCommerceRequestInfo", contract: .advancedCommerceRequestInfo),
    ModelFixture(
      name: "advancedCommerceSubscriptionCreateItem", contract: .subscriptionCreateItem),
    ModelFixture(
      name: "advancedCommerceSubscriptionCreateRequest", contract: .subscriptionCreateRequest,
      added: form("CREATE_SUBSCRIPTION")),
    ModelFixture(
      name: "advancedCommerceSubscriptionModifyChangeItem", contract: .subscriptionChangeItem),
    ModelFixture(
      name: "advancedCommerceSubscriptionModifyDescriptors", contract: .descriptorsChange),
    ModelFixture(
      name: "advancedCommerceSubscriptionModifyInAppRequest",
      contract: .subscriptionModifyRequest, added: form("MODIFY_SUBSCRIPTION")),
    ModelFixture(
      name: "advancedCommerceSubscriptionModifyRemoveItem", contract: .itemReference),
    ModelFixture(
      name: "advancedCommerceSubscriptionReactivateItem", contract: .itemReference),
    ModelFixture(name: "appTransaction", contract: .appTransaction),
    ModelFixture(name: "decodedRealtimeRequest", contract: .realtimeRequest),
    ModelFixture(
      name: "signedExternalPurchaseTokenNotification", contract: .serverNotification),
    ModelFixture(name: "signedNotification", contract: .serverNotification),
    ModelFixture(name: "signedRenewalInfo", contract: .renewalInfo),
    ModelFixture(name: "signedRescindConsentNotification", contract: .serverNotification),
    ModelFixture(name: "signedSummaryNotification", contract: .serverNotification),
    ModelFixture(name: "signedTransaction", contract: .transaction),
  ]

  /// Requests, responses and errors of the App Store Server API, whose models are yet to come.
  static let left: Set<String> = [
    "advancedCommerceRequestRefundRequest", "advancedCommerceResponseWithUnknownFields",
    "advancedCommerceSubscriptionCancelRequest", "advancedCommerceSubscriptionCancelResponse",
    "advancedCommerceSubscriptionChangeMetadataDescriptors",
    "advancedCommerceSubscriptionChangeMetadataRequest",
    "advancedCommerceSubscriptionChangeMetadataResponse",
    "advancedCommerceSubscriptionMigrateItem", "advancedCommerceSubscriptionMigrateRenewalItem",
    "advancedCommerceSubscriptionMigrateRequest",
    "advancedCommerceSubscriptionPriceChangeRequest",
    "advancedCommerceSubscriptionPriceChangeResponse",
    "advancedCommerceSubscriptionRevokeRequest", "advancedCommerceSubscriptionRevokeResponse",
    "apiException", "apiTooManyRequestsException", "appTransactionInfoResponse",
    "extendSubscriptionRenewalDateResponse", "familyTransactionNotSupportedError",
    "getAllSubscriptionStatusesResponse", "getDefaultMessageResponse", "getImageListResponse",
    "getNotificationHistoryResponse", "getRealtimeUrlResponse",
    "getStatusOfSubscriptionRenewalDateExtensionsResponse",
    "getTestNotificationStatusResponse", "invalidAppAccountTokenUUIDError",
    "performanceTestResultResponse", "transactionHistoryResponse",
    "transactionHistoryResponseWithMalformedAppAppleId", "transactionIdNotFoundError",
    "transactionIdNotOriginalTransactionId", "transactionInfoResponse",
  ]

  @Test("decode, and encode to the same members", arguments: covered)
  func roundTrip(_ fixture: ModelFixture) throws {
    let data = try Fixtures.data("models/\(fixture.name).json")
    let json = try JSONValue(parsing: Array(data))
    guard case .object(let members) = json else {
      Issue.record("no object")
      return
    }
    let expected = JSONValue.object(members.merging(fixture.added) { $1 })
    let model = try fixture.contract.read(json)
    #expect(model.json == expected)
    #expect(fixture.contract.areEqual(try fixture.contract.readByDecoder(data), model))
  }

  @Test("have no member that the contract does not list", arguments: covered)
  func documentedMembers(_ fixture: ModelFixture) throws {
    let json = try JSONValue(parsing: Array(Fixtures.data("models/\(fixture.name).json")))
    #expect(Self.unlisted(in: json, .object(fixture.contract.fields), "") == [])
  }

  @Test("are all assigned to a model or left for the server API")
  func assignment() {
    let present = Set(
      Fixtures.paths(in: "models", withExtension: "json").map {
        String($0.dropFirst("models/".count).dropLast(".json".count))
      })
    let names = Set(Self.covered.map(\.name))
    print("Recorded bodies: \(names.count) covered, \(Self.left.count) left for the server API")
    #expect(names.union(Self.left) == present)
    #expect(names.isDisjoint(with: Self.left))
  }

  private static func unlisted(
    in json: JSONValue, _ shape: Shape, _ path: String
  ) -> [String] {
    switch (json, shape) {
    case (.object(let members), .object(let fields)):
      members.flatMap { name, value -> [String] in
        guard let field = fields.first(where: { $0.name == name }) else { return [path + name] }
        return unlisted(in: value, field.shape, path + name + ".")
      }
    case (.array(let elements), .array(let element)):
      elements.flatMap { unlisted(in: $0, element, path) }
    default: []
    }
  }
}
