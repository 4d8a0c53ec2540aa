internal import HTTPMessages

extension ServerAPIRoute {
  /// The calls about the purchases of a customer: section 2.1 of the App Store Server API rules.
  static let purchases: [ServerAPIRoute] = [
    ServerAPIRoute(.get, "inApps/v2/history/{id}", limit: 50) { try $0.history() },
    ServerAPIRoute(.get, "inApps/v1/history/{id}", limit: 50) { try $0.historyV1() },
    ServerAPIRoute(.get, "inApps/v1/transactions/appTransactions/{id}", limit: 50) {
      try $0.appTransaction()
    },
    ServerAPIRoute(.get, "inApps/v1/transactions/{id}", limit: 50) { try $0.transactionInfo() },
    ServerAPIRoute(.get, "inApps/v1/subscriptions/{id}", limit: 50) { try $0.statuses() },
    ServerAPIRoute(.get, "inApps/v2/refund/lookup/{id}", limit: 10) { try $0.refunds() },
    ServerAPIRoute(.get, "inApps/v1/lookup/{id}", limit: 10) { try $0.order() },
    ServerAPIRoute(.post, "inApps/v1/transactions/{id}/finish", limit: 50) { try $0.finish() },
    ServerAPIRoute(.put, "inApps/v1/transactions/{id}/appAccountToken", limit: 20) {
      try $0.setAccountToken()
    },
    ServerAPIRoute(.put, "inApps/v2/transactions/consumption/{id}", limit: 50) {
      try $0.consumption()
    },
    ServerAPIRoute(.put, "inApps/v1/transactions/consumption/{id}", limit: 50) {
      try $0.consumptionV1()
    },
  ]
}
