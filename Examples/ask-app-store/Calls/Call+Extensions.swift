import AppStoreServerAPI
import JSONValues
import ReceiptModels

extension Call {
  /// The calls about extensions of subscriptions.
  static let extensions: [String: Call] = [
    "extend": Call("ORIGINALID DAYS REASON REQUESTID", 4) { question in
      let request = ExtendRenewalDateRequest(
        extendByDays: try Arguments.integer(question.words[1], "DAYS"),
        extendReasonCode: ExtendReasonCode(
          rawValue: try Arguments.integer(question.words[2], "REASON")),
        requestIdentifier: question.words[3])
      question.done(
        try await question.client.extendSubscriptionRenewalDate(request, of: question.words[0])
          .members)
    },
    "extend-all": Call("JSON", 1) { question in
      question.done(
        try await question.client.extendRenewalDateForAllActiveSubscribers(question.model(0))
          .members)
    },
    "extend-all-status": Call("PRODUCT REQUESTID", 2) { question in
      Line.print(
        try await question.client.statusOfSubscriptionRenewalDateExtensions(
          ofProduct: question.words[0], requestIdentifier: question.uuid(1, "requestIdentifier")
        ).members)
    },
  ]
}
