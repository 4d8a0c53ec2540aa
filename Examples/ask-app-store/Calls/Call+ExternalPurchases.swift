import AppStoreServerAPI
import JSONValues
import ReceiptModels

extension Call {
  static let externalPurchases: [String: Call] = [
    "external-report": Call("send JSON | get UUID", 2) { question in
      switch question.words[0] {
      case "send":
        question.done(
          try await question.client.sendExternalPurchaseReport(question.model(1)).members)
      case "get":
        Line.print(
          try await question.client.externalPurchaseReport(question.uuid(1, "requestIdentifier"))
            .members)
      default: throw UsageFailure("the call is: external-report send JSON, or get UUID")
      }
    }
  ]
}
