import AppStoreServerAPI
import Foundation
import JSONValues
import ReceiptModels
import StorekeeperFixtures
import Testing

/// A recorded body and the model that it should be read as.
struct RecordedBody: Sendable, CustomTestStringConvertible {
  var path: String
  var read: @Sendable (JSONValue) throws -> any JSONModel
  var testDescription: String { path }

  init<Model: JSONModel>(_ path: String, _ model: Model.Type) {
    self.path = path
    read = { try Model(json: $0) }
  }
}

@Suite("Recorded bodies", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct RecordedBodyTests {
  static let answers: [RecordedBody] = [
    RecordedBody("models/transactionHistoryResponse", HistoryResponse.self),
    RecordedBody(
      "server-api/transactionHistoryResponseWithMalformedEnvironment", HistoryResponse.self),
    RecordedBody(
      "server-api/aporat-transactionHistoryResponseWithoutTransactions", HistoryResponse.self),
    RecordedBody("server-api/getRefundHistoryResponse", RefundHistoryResponse.self),
    RecordedBody("models/getAllSubscriptionStatusesResponse", StatusResponse.self),
    RecordedBody("server-api/aporat-subscriptionStatusResponse", StatusResponse.self),
    RecordedBody("models/transactionInfoResponse", TransactionInfoResponse.self),
    RecordedBody("models/appTransactionInfoResponse", AppTransactionInfoResponse.self),
    RecordedBody("server-api/lookupOrderIdResponse", OrderLookupResponse.self),
    RecordedBody("models/extendSubscriptionRenewalDateResponse", ExtendRenewalDateResponse.self),
    RecordedBody(
      "server-api/extendRenewalDateForAllActiveSubscribersResponse",
      MassExtendRenewalDateResponse.self),
    RecordedBody(
      "models/getStatusOfSubscriptionRenewalDateExtensionsResponse",
      MassExtendRenewalDateStatusResponse.self),
    RecordedBody("models/getNotificationHistoryResponse", NotificationHistoryResponse.self),
    RecordedBody("server-api/requestTestNotificationResponse", SendTestNotificationResponse.self),
    RecordedBody("models/getTestNotificationStatusResponse", CheckTestNotificationResponse.self),
    RecordedBody("models/getImageListResponse", ImageListResponse.self),
    RecordedBody("server-api/getMessageListResponse", MessageListResponse.self),
    RecordedBody("models/getDefaultMessageResponse", DefaultMessageResponse.self),
    RecordedBody("models/getRealtimeUrlResponse", RealtimeURLResponse.self),
    RecordedBody("server-api/performanceTestResponse", PerformanceTestResponse.self),
    RecordedBody("models/performanceTestResultResponse", PerformanceTestResultResponse.self),
    RecordedBody(
      "models/advancedCommerceResponseWithUnknownFields", AdvancedCommerceResponse.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionCancelResponse", AdvancedCommerceResponse.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionChangeMetadataResponse", AdvancedCommerceResponse.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionPriceChangeResponse", AdvancedCommerceResponse.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionRevokeResponse", AdvancedCommerceResponse.self),
    RecordedBody(
      "server-api/advancedCommerceRequestRefundResponse", AdvancedCommerceResponse.self),
    RecordedBody(
      "server-api/advancedCommerceSubscriptionMigrateResponse", AdvancedCommerceResponse.self),
    RecordedBody("models/apiException", ErrorResponse.self),
    RecordedBody("models/apiTooManyRequestsException", ErrorResponse.self),
    RecordedBody("models/familyTransactionNotSupportedError", ErrorResponse.self),
    RecordedBody("models/invalidAppAccountTokenUUIDError", ErrorResponse.self),
    RecordedBody("models/transactionIdNotFoundError", ErrorResponse.self),
    RecordedBody("models/transactionIdNotOriginalTransactionId", ErrorResponse.self),
    RecordedBody("server-api/apiUnknownError", ErrorResponse.self),
    RecordedBody("server-api/invalidTransactionIdError", ErrorResponse.self),
    RecordedBody("server-api/appTransactionDoesNotExistError", ErrorResponse.self),
  ]

  static let requests: [RecordedBody] = [
    RecordedBody(
      "models/advancedCommerceRequestRefundRequest", AdvancedCommerceRequestRefundRequest.self),
    RecordedBody(
      "server-api/advancedCommerceRequestRefundItem", AdvancedCommerceRequestRefundItem.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionCancelRequest",
      AdvancedCommerceSubscriptionCancelRequest.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionChangeMetadataDescriptors",
      AdvancedCommerceSubscriptionChangeMetadataDescriptors.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionChangeMetadataRequest",
      AdvancedCommerceSubscriptionChangeMetadataRequest.self),
    RecordedBody(
      "server-api/advancedCommerceSubscriptionChangeMetadataItem",
      AdvancedCommerceSubscriptionChangeMetadataItem.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionMigrateItem",
      AdvancedCommerceSubscriptionMigrateItem.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionMigrateRenewalItem",
      AdvancedCommerceSubscriptionMigrateRenewalItem.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionMigrateRequest",
      AdvancedCommerceSubscriptionMigrateRequest.self),
    RecordedBody(
      "server-api/advancedCommerceSubscriptionMigrateDescriptors",
      AdvancedCommerceDescriptors.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionPriceChangeRequest",
      AdvancedCommerceSubscriptionPriceChangeRequest.self),
    RecordedBody(
      "server-api/advancedCommerceSubscriptionPriceChangeItem",
      AdvancedCommerceSubscriptionPriceChangeItem.self),
    RecordedBody(
      "models/advancedCommerceSubscriptionRevokeRequest",
      AdvancedCommerceSubscriptionRevokeRequest.self),
    // The remaining bodies of this folder belong to the models of signed data.
    RecordedBody("server-api/advancedCommerceDescriptors", AdvancedCommerceDescriptors.self),
    RecordedBody(
      "server-api/advancedCommerceOneTimeChargeItem", AdvancedCommerceOneTimeChargeItem.self),
    RecordedBody(
      "server-api/advancedCommerceSubscriptionModifyAddItem",
      AdvancedCommerceSubscriptionAddItem.self),
    RecordedBody(
      "server-api/advancedCommerceSubscriptionModifyPeriodChange",
      AdvancedCommercePeriodChange.self),
    RecordedBody("server-api/appData", NotificationAppData.self),
    RecordedBody("server-api/signedConsumptionRequestNotification", ServerNotification.self),
    RecordedBody(
      "server-api/signedExternalPurchaseTokenSandboxNotification", ServerNotification.self),
    RecordedBody("server-api/signedTransactionWithRevocation", Transaction.self),
  ]

  /// The body whose form the server completes before it is signed; see the models of in-app
  /// requests.
  static let completed: Set<String> = [
    "server-api/advancedCommerceSubscriptionReactivateInAppRequest"
  ]

  static func json(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: Array(Fixtures.data(path + ".json")))
  }

  static func answer<Model: JSONModel>(_ path: String) throws -> Model {
    try Model(json: json(path))
  }

  @Test("decode, and encode again without losing a member", arguments: answers + requests)
  func roundTrip(_ body: RecordedBody) throws {
    let json = try Self.json(body.path)
    #expect(try body.read(json).json == json)
  }

  @Test("of the server APIs are all read as a model")
  func assignment() {
    let present = Set(
      Fixtures.paths(in: "server-api", withExtension: "json").map {
        String($0.dropLast(".json".count))
      })
    let covered = Set((Self.answers + Self.requests).map(\.path))
    #expect(present.subtracting(covered) == Self.completed)
  }

  @Test("with an app number that is no number are refused with the path")
  func malformedAppAppleID() throws {
    let json = try Self.json("models/transactionHistoryResponseWithMalformedAppAppleId")
    #expect(
      throws: FieldTypeFailure(path: "appAppleId", expected: .integer, found: .string)
    ) { try HistoryResponse(json: json) }
  }

  @Test("with an unknown environment decode, and keep its text")
  func malformedEnvironment() throws {
    let answer: HistoryResponse = try Self.answer(
      "server-api/transactionHistoryResponseWithMalformedEnvironment")
    #expect(answer.environment?.rawValue == "LocalTestingxxx")
    #expect(answer.environment?.isKnown == false)
  }

  @Test("of the history and the statuses have the expected content")
  func purchases() throws {
    let history: HistoryResponse = try Self.answer("models/transactionHistoryResponse")
    #expect(history.hasMore == true)
    #expect(history.revision == "revision_output")
    #expect(history.bundleID == "com.example")
    #expect(history.appAppleID == 323_232)
    #expect(history.environment == .localTesting)
    #expect(
      history.signedTransactions == ["signed_transaction_value", "signed_transaction_value2"])
    let empty: HistoryResponse = try Self.answer(
      "server-api/aporat-transactionHistoryResponseWithoutTransactions")
    #expect(empty.signedTransactions == nil)
    let statuses: StatusResponse = try Self.answer("models/getAllSubscriptionStatusesResponse")
    #expect(
      statuses.data?.map(\.subscriptionGroupIdentifier) == ["sub_group_one", "sub_group_two"])
    let items = statuses.data?.flatMap { $0.lastTransactions ?? [] }
    #expect(items?.map(\.status) == [.active, .revoked, .expired])
    #expect(items?.last?.originalTransactionID == "3413453")
    #expect(items?.last?.signedTransactionInfo == "signed_transaction_three")
    #expect(items?.last?.signedRenewalInfo == "signed_renewal_three")
    let unsigned: StatusResponse = try Self.answer("server-api/aporat-subscriptionStatusResponse")
    #expect(unsigned.data?.first?.lastTransactions?.first?.signedTransactionInfo == nil)
    let order: OrderLookupResponse = try Self.answer("server-api/lookupOrderIdResponse")
    #expect(order.status == .invalid)
    #expect(order.signedTransactions?.count == 2)
  }

  @Test("of extensions and notifications have the expected content")
  func jobs() throws {
    let extended: ExtendRenewalDateResponse = try Self.answer(
      "models/extendSubscriptionRenewalDateResponse")
    #expect(extended.success == true)
    #expect(extended.originalTransactionID == "2312412")
    #expect(extended.webOrderLineItemID == "9993")
    #expect(extended.effectiveDate == Date(timeIntervalSince1970: 1_698_148_900))
    let status: MassExtendRenewalDateStatusResponse = try Self.answer(
      "models/getStatusOfSubscriptionRenewalDateExtensionsResponse")
    #expect(status.complete == true)
    #expect(status.succeededCount == 30)
    #expect(status.failedCount == 2)
    let history: NotificationHistoryResponse = try Self.answer(
      "models/getNotificationHistoryResponse")
    #expect(history.paginationToken == "57715481-805a-4283-8499-1c19b5d6b20a")
    #expect(history.hasMore == true)
    let attempts = history.notificationHistory?.flatMap { $0.sendAttempts ?? [] }
    #expect(attempts?.map(\.sendAttemptResult) == [.noResponse, .success, .circularRedirect])
    #expect(attempts?.last?.attemptDate == Date(timeIntervalSince1970: 1_698_148_800))
    let test: PerformanceTestResultResponse = try Self.answer(
      "models/performanceTestResultResponse")
    #expect(test.failures == [.timedOut: 1, .noResponse: 1])
    #expect(test.result == .pass)
    #expect(test.responseTimes?.p99 == 400)
    #expect(test.config?.totalDuration == 60_000)
    let images: ImageListResponse = try Self.answer("models/getImageListResponse")
    #expect(images.imageIdentifiers?.map(\.imageState) == [.approved])
    #expect(images.imageIdentifiers?.map(\.imageSize) == [.fullSize])
  }

  @Test("of errors keep the code as a number, known or not")
  func errors() throws {
    for (path, code) in [
      ("models/apiException", 5_000_000), ("server-api/apiUnknownError", 9_990_000),
      ("models/transactionIdNotFoundError", 4_040_010),
    ] {
      let error: ErrorResponse = try Self.answer(path)
      #expect(error.errorCode == code)
      #expect(error.errorMessage?.isEmpty == false)
    }
  }
}
