import AppStoreServerAPI
import JSONValues
import JWSVerifier
import ReceiptModels

extension Call {
  static let advancedCommerce: [String: Call] = [
    "advanced-commerce": Call(
      "cancel|change-metadata|change-price|migrate|revoke|request-refund ID JSON", 3
    ) { question in
      let client = question.client
      let id = question.words[1]
      let result =
        switch question.words[0] {
        case "cancel": try await client.cancelSubscription(question.model(2), of: id)
        case "change-metadata":
          try await client.changeSubscriptionMetadata(question.model(2), of: id)
        case "change-price": try await client.changeSubscriptionPrice(question.model(2), of: id)
        case "migrate": try await client.migrateSubscription(question.model(2), of: id)
        case "revoke": try await client.revokeSubscription(question.model(2), of: id)
        case "request-refund": try await client.requestTransactionRefund(question.model(2), of: id)
        default: throw UsageFailure("there is no call advanced-commerce \(question.words[0])")
        }
      var members: Members = ["host": .string(result.transaction.environment.rawValue)]
      members["transaction"] = .object(result.transaction.members)
      members["renewalInfo"] = result.renewalInfo.map { .object($0.members) }
      question.done(members)
    }
  ]
}
