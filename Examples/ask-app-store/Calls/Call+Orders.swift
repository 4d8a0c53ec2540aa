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
