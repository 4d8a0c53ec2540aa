import AppStoreServerAPI
import JSONValues
import ReceiptModels

extension Call {
  /// The calls about the groups of customers.
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
