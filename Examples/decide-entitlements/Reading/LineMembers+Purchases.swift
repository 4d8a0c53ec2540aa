import EntitlementPolicy
import Foundation
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

// The stored facts (entitlement rules, section 4).
extension LineMembers {
  /// The purchases of this app, then those of each other app.
  func apps(
    of bundleID: String, catalog: ProductCatalog, options: EntitlementOptions, now: Date
  ) throws(LineFailure) -> [AppPurchases] {
    let own = UniqueText(bundleID)
    var subscriptions: [UniqueText: [SubscriptionCandidate]] = [:]
    for members in try objects("subscriptions") {
      let subscription = try members.subscription(of: bundleID, now: now)
      subscriptions[UniqueText(subscription.bundleID), default: []].append(subscription)
    }
    var transactions: [UniqueText: [PurchaseRecord]] = [:]
    for members in try objects("transactions") {
      let (app, record) = try members.purchase()
      transactions[UniqueText(app ?? bundleID), default: []].append(record)
    }
    let renewals = try renewals()
    let others = Set(subscriptions.keys).union(transactions.keys).subtracting([own]).sorted()
    return ([own] + others).map { app in
      let signed = AppPurchases(
        bundleID: app.text, transactions: transactions[app] ?? [], renewals: renewals,
        catalog: app == own ? catalog : nil, durations: options.durations)
      return AppPurchases(
        bundleID: app.text, products: signed.products,
        subscriptions: signed.subscriptions + (subscriptions[app] ?? []))
    }
  }

  func validations(_ bundleID: String) throws(LineFailure) -> [AppValidation] {
    var validations: [AppValidation] = []
    for members in try objects("validations") {
      validations.append(
        AppValidation(
          bundleID: try members.text("bundleId") ?? bundleID,
          validatedDate: try members.optionalMoment("validatedAt"),
          firstFailureDate: try members.optionalMoment("firstFailureAt")))
    }
    return validations
  }

  private func subscription(
    of bundleID: String, now: Date
  ) throws(LineFailure) -> SubscriptionCandidate {
    SubscriptionCandidate(
      bundleID: try text("bundleId") ?? bundleID,
      productID: try neededText("productId"),
      environment: try text("environment").map(AppStoreEnvironment.init(rawValue:)) ?? .production,
      originalTransactionID: try text("originalTransactionId") ?? "",
      lastPurchaseDate: try optionalMoment("lastPurchaseAt") ?? now,
      expiresDate: try moment("expiresAt"),
      gracePeriodExpiresDate: try optionalMoment("gracePeriodExpiresAt"),
      cancellationDate: try optionalMoment("cancellationAt"),
      isRenewable: try value("renewable", Bool.self) ?? true,
      firstFailureDate: try optionalMoment("firstFailureAt"))
  }

  /// The purchase in a transaction, and its app.
  private func purchase() throws(LineFailure) -> (bundleID: String?, record: PurchaseRecord) {
    let transaction: Transaction
    do throws(FieldTypeFailure) {
      transaction = try Transaction(json: .object(values))
    } catch {
      throw LineFailure(path: path(error.path), error: "expected \(error.expected)")
    }
    guard var record = PurchaseRecord(transaction) else {
      throw LineFailure(
        path: path("transactionId"), error: "expected 1 to 64 digits, and a product")
    }
    record.environment = transaction.environment ?? .production
    return (transaction.bundleID, record)
  }

  private func renewals() throws(LineFailure) -> [RenewalRecord] {
    var renewals: [RenewalRecord] = []
    for members in try objects("renewalInfos") {
      let info: RenewalInfo
      do throws(FieldTypeFailure) {
        info = try RenewalInfo(json: .object(members.values))
      } catch {
        throw LineFailure(path: members.path(error.path), error: "expected \(error.expected)")
      }
      guard var record = RenewalRecord(info) else {
        throw LineFailure(
          path: members.path("originalTransactionId"), error: "expected 1 to 64 digits")
      }
      record.environment = info.environment ?? .production
      renewals.append(record)
    }
    return renewals
  }
}

extension AppPurchases {
  /// The purchases, with the failure of their app where no subscription has one of its own.
  func failing(as validations: [AppValidation]) -> AppPurchases {
    let validation = validations.first { UniqueText($0.bundleID) == UniqueText(bundleID) }
    guard let date = validation?.firstFailureDate,
      subscriptions.allSatisfy({ $0.firstFailureDate == nil })
    else { return self }
    return AppPurchases(
      bundleID: bundleID, productIDs: productIDs,
      subscriptions: subscriptions.map { subscription in
        var subscription = subscription
        subscription.firstFailureDate = date
        return subscription
      })
  }
}
