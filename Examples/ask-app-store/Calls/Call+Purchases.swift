import AppStoreServerAPI
import Foundation
import JSONValues
import JWSVerifier
import ReceiptModels

extension Call {
  /// The calls that read the purchases of a customer.
  static let purchases: [String: Call] = [
    "history": Call(
      """
      ID [--sort ascending|descending] [--product-id P]... [--product-type T]... [--group G]... \
      [--ownership O] [--revoked true|false] [--start MS] [--end MS] [--revision R]
      """, 1
    ) { question in
      try await show(
        question.client.transactionHistory(
          of: question.words[0], matching: historyRequest(question),
          since: question.arguments.value("--revision")))
    },
    "refunds": Call("ID [--revision R]", 1) { question in
      try await show(
        question.client.refundHistory(
          of: question.words[0], since: question.arguments.value("--revision")))
    },
    "transaction": Call("ID", 1) { question in
      Line.print(try await question.client.transactionInfo(question.words[0]).members)
    },
    "app-transaction": Call("ID", 1) { question in
      Line.print(try await question.client.appTransactionInfo(of: question.words[0]).members)
    },
    "statuses": Call("ID [--status N]...", 1) { question in
      var statuses: [SubscriptionStatus] = []
      for text in question.arguments.all("--status") {
        statuses.append(SubscriptionStatus(rawValue: try Arguments.integer(text, "--status")))
      }
      let answer = try await question.client.allSubscriptionStatuses(
        of: question.words[0], statuses: statuses)
      for group in answer.groups {
        for item in group.items {
          var members = item.members(at: Date())
          members["subscriptionGroupIdentifier"] = group.subscriptionGroupIdentifier.map(
            JSONValue.string)
          members["host"] = .string(answer.environment.rawValue)
          Line.print(members)
        }
      }
    },
  ]

  private static func historyRequest(_ question: Question) throws -> TransactionHistoryRequest {
    let arguments = question.arguments
    var request = TransactionHistoryRequest()
    request.sort = try arguments.value("--sort").map { HistorySort(rawValue: $0.uppercased()) }
    request.productIDs = arguments.all("--product-id")
    request.productTypes = arguments.all("--product-type").map {
      HistoryProductType(rawValue: $0.uppercased())
    }
    request.subscriptionGroupIdentifiers = arguments.all("--group")
    request.inAppOwnershipType = try arguments.value("--ownership").map {
      InAppOwnershipType(rawValue: $0.uppercased())
    }
    request.startDate = try question.date("--start")
    request.endDate = try question.date("--end")
    switch try arguments.value("--revoked") {
    case "true": request.revoked = true
    case "false": request.revoked = false
    case nil: break
    default: throw UsageFailure("--revoked takes true or false")
    }
    return request
  }

  /// Prints a line for each transaction, for each refused element, and for the whole.
  private static func show(_ history: TransactionHistory) async throws {
    let all: CollectedTransactions
    do throws(AppStoreServerFailure) {
      all = try await history.all()
    } catch {
      if let collected = error.collected { show(collected) }
      throw error
    }
    show(all)
    Line.print([
      "revision": all.revision.map(JSONValue.string) ?? .null, "pages": .integer(all.pages),
      "host": all.environment.map { .string($0.rawValue) } ?? .null,
    ])
  }

  private static func show(_ collected: CollectedTransactions) {
    for transaction in collected.transactions { Line.print(transaction.members) }
    for (page, element) in collected.refused {
      Line.print(element.members.merging(["page": .integer(page)]) { $1 })
    }
  }
}

extension SubscriptionStatuses.Item {
  /// The members of a line: Apple's word, what the signed data proves, and the signed data.
  fileprivate func members(at date: Date) -> Members {
    var members: Members = [:]
    members["status"] = status.map { .integer($0.value.rawValue) }
    members["derivedStatus"] = derivedStatus(at: date).map { .integer($0.rawValue) }
    members["originalTransactionId"] = (transaction?.payload.originalTransactionID).map(
      JSONValue.string)
    members["transaction"] = transaction.map { .object($0.members) }
    members["renewalInfo"] = renewalInfo.map { .object($0.members) }
    members["refused"] = (refusal?.name).map(JSONValue.string)
    return members
  }
}

extension Call {
  static let groups: [String: Call] = [
    "groups": Call("ID", 1) { question in
      Line.print(try await question.client.currentGroups(of: question.words[0]).members)
    },
    "group-members": Call("GROUP [--limit N] [--page-token T]", 1) { question in
      Line.print(
        try await question.client.groupMembers(
          of: question.words[0], paginationToken: question.arguments.value("--page-token"),
          limit: question.arguments.integer("--limit")
        ).members)
    },
  ]
}
