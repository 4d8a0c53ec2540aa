import AppStoreServerAPI
import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Answers")
struct AnswerTests {
  static func parse(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test(
    "of errors give the code without the text and the text without the code",
    arguments: [
      (#"{"errorCode":4000006}"#, 4_000_006, nil), (#"{"errorMessage":"no"}"#, nil, "no"),
      (#"{"errorCode":"4000006","errorMessage":"no"}"#, nil, "no"),
      (#"{"errorCode":4000006,"errorMessage":[1]}"#, 4_000_006, nil),
      (#"{"errorCode":null,"errorMessage":null}"#, nil, nil), ("{}", nil, nil),
    ] as [(String, Int?, String?)])
  func error(text: String, code: Int?, message: String?) throws {
    let error = try ErrorResponse(json: Self.parse(text))
    #expect(error.errorCode == code)
    #expect(error.errorMessage == message)
  }

  @Test("of errors keep a member of the wrong type")
  func keptError() throws {
    let json = try Self.parse(#"{"errorCode":"x","errorMessage":{"a":1},"more":true}"#)
    #expect(try ErrorResponse(json: json).json == json)
  }

  @Test("of errors that are no object are refused", arguments: ["null", "[]", "1", #""x""#])
  func noError(text: String) throws {
    let json = try Self.parse(text)
    #expect(throws: FieldTypeFailure.self) { try ErrorResponse(json: json) }
  }

  @Test("of groups decode, and encode again without losing a member")
  func groups() throws {
    let json = try Self.parse(
      """
      {"groups":[{"groupId":"900000000000000000","groupType":"ORGANIZATION","roles":
      [{"productId":"p","role":"ADMIN"},{"productId":"q","role":"NEW"}]},
      {"groupId":"1","groupType":"CONSUMER"}],"more":1}
      """)
    let answer = try CurrentGroupsResponse(json: json)
    #expect(answer.json == json)
    #expect(answer.groups?.map(\.groupType) == [.organization, .consumer])
    #expect(answer.groups?.first?.groupID == "900000000000000000")
    #expect(answer.groups?.first?.roles?.map(\.productID) == ["p", "q"])
    #expect(answer.groups?.first?.roles?.first?.role == .admin)
    #expect(answer.groups?.first?.roles?.last?.role?.isKnown == false)
    let members = try Self.parse(
      #"{"members":[{"appTransactionId":"7"}],"hasMore":true,"paginationToken":"t"}"#)
    let page = try GroupMembersResponse(json: members)
    #expect(page.json == members)
    #expect(page.members?.map(\.appTransactionID) == ["7"])
    #expect(page.hasMore == true)
    #expect(page.paginationToken == "t")
  }

  @Test("of reports on external purchases decode, and encode again without losing a member")
  func reports() throws {
    let taken = try Self.parse(#"{"requestIdentifier":"1cdc286e-7389-417c-b58f-7a7d196e5bbe"}"#)
    #expect(
      try ExternalPurchaseReportResponse(json: taken).requestIdentifier
        == UUID(uuidString: "1CDC286E-7389-417C-B58F-7A7D196E5BBE"))
    let refused = try Self.parse(
      """
      {"errors":[{"errorCode":31,"errorMessage":"m","fieldName":"f","lineItemId":"l","x":[]}]}
      """)
    let errors = try ExternalPurchaseReportErrors(json: refused)
    #expect(errors.json == refused)
    #expect(errors.errors?.first?.errorCode == 31)
    #expect(errors.errors?.first?.errorMessage == "m")
    #expect(errors.errors?.first?.fieldName == "f")
    #expect(errors.errors?.first?.lineItemID == "l")
  }

  @Test("of Advanced Commerce need the transaction")
  func transactionRequired() {
    #expect(
      throws: FieldTypeFailure(
        path: "signedTransactionInfo", expected: .string, found: .absent)
    ) { try AdvancedCommerceResponse(json: .object(["signedRenewalInfo": .string("a")])) }
  }

  @Test("of performance tests name the failure that has no count")
  func failureCount() {
    let json = JSONValue.object(["failures": .object(["TIMED_OUT": .string("1")])])
    #expect(
      throws: FieldTypeFailure(path: "failures.TIMED_OUT", expected: .integer, found: .string)
    ) { try PerformanceTestResultResponse(json: json) }
  }

  @Test("never print a token")
  func redaction() throws {
    let secret = JSONValue.string("TOKEN")
    let answers: [any JSONModel] = [
      try HistoryResponse(json: .object(["signedTransactions": .array([secret])])),
      try RefundHistoryResponse(json: .object(["signedTransactions": .array([secret])])),
      try StatusResponse(
        json: .object([
          "data": .array([
            .object([
              "lastTransactions": .array([
                .object(["signedTransactionInfo": secret, "signedRenewalInfo": secret])
              ])
            ])
          ])
        ])),
      try TransactionInfoResponse(json: .object(["signedTransactionInfo": secret])),
      try AppTransactionInfoResponse(json: .object(["signedAppTransactionInfo": secret])),
      try OrderLookupResponse(json: .object(["signedTransactions": .array([secret])])),
      try NotificationHistoryResponse(
        json: .object(["notificationHistory": .array([.object(["signedPayload": secret])])])),
      try CheckTestNotificationResponse(json: .object(["signedPayload": secret])),
      try AdvancedCommerceResponse(
        json: .object(["signedTransactionInfo": secret, "signedRenewalInfo": secret])),
    ]
    for answer in answers {
      var text = "\(answer) \(String(reflecting: answer))"
      dump(answer, to: &text)
      #expect(!text.contains("TOKEN"))
      #expect(text.contains("redacted"))
      #expect(String(decoding: answer.json.serialized, as: UTF8.self).contains("TOKEN"))
    }
  }
}
