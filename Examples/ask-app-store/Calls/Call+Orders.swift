import AppStoreServerAPI
import JSONValues
import JWSVerifier
import ReceiptModels

extension Call {
  /// The order lookup, and the calls that change something about a purchase.
  static let orders: [String: Call] = [
    "order": Call("ORDERID", 1) { question in
      let order = try await question.client.lookUpOrderID(question.words[0])
      for transaction in order.transactions { Line.print(transaction.members) }
      for element in order.refused { Line.print(element.members) }
      Line.print([
        "status": .integer(order.status.value.rawValue),
        "host": .string(order.status.environment.rawValue),
      ])
    },
    "set-token": Call("ORIGINALID UUID", 2) { question in
      try await question.client.setAppAccountToken(
        question.uuid(1, "appAccountToken"), of: question.words[0])
      question.done()
    },
    "finish": Call("ID", 1) { question in
      try await question.client.finishTransaction(question.words[0])
      question.done()
    },
    "consumption": Call("ID JSON", 2) { question in
      let json = try JSONArgument.json(question.words[1])
      // Only in version 1 is the status of the delivery a number.
      if case .integer = json["deliveryStatus"] {
        try await question.client.sendConsumptionData(
          ConsumptionRequestV1(json: json), forTransaction: question.words[0])
      } else {
        try await question.client.sendConsumptionInformation(
          ConsumptionRequest(json: json), forTransaction: question.words[0])
      }
      question.done()
    },
  ]
}

extension Call {
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
