internal import CreditPolicy
internal import EntitlementPolicy
internal import JSONValues
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The members of exported lines; null stands for what is not known.

extension Date {
  /// The date in milliseconds since 1970.
  fileprivate var exported: JSONValue { .integer(StoredMoment.milliseconds(self)) }
}

extension Date? {
  fileprivate var exported: JSONValue { self?.exported ?? .null }
}

extension String? {
  fileprivate var exported: JSONValue { map(JSONValue.string) ?? .null }
}

extension PurchaseRecord {
  var exported: JSONValue {
    .object([
      "transactionId": .string(transactionID), "productId": .string(productID),
      "planId": planID.exported, "type": (productType?.rawValue).exported,
      "quantity": .integer(quantity), "ownership": (ownership?.rawValue).exported,
      "appAccountToken": (appAccountToken?.uuidString).exported,
      "purchaseDate": purchaseDate.exported,
      "originalPurchaseDate": originalPurchaseDate.exported, "expiresDate": expiresDate.exported,
      "revocationDate": cancellationDate.exported,
      "revocationReason": revocationReason.map { .integer($0.rawValue) } ?? .null,
      "price": price.map { .integer($0) } ?? .null, "currency": currency.exported,
      "country": country.exported,
      "isUpgraded": .boolean(isUpgraded), "asOf": signedDate.exported,
    ])
  }
}

extension RenewalRecord {
  var exported: JSONValue {
    .object([
      "productId": productID.exported, "autoRenewProductId": autoRenewProductID.exported,
      "willRenew": willRenew.map { .boolean($0) } ?? .null,
      "isInBillingRetry": .boolean(isInBillingRetry),
      "gracePeriodExpiresDate": gracePeriodExpiresDate.exported, "asOf": signedDate.exported,
    ])
  }
}

extension Subscription {
  var exported: JSONValue {
    .object([
      "owner": (owner?.rawValue).exported, "productId": .string(productID),
      "lastTransactionId": .string(lastTransactionID), "tier": .string(tier.rawValue),
      "cycle": .string(cycle.rawValue), "purchaseDate": purchaseDate.exported,
      "expiresDate": expiresDate.exported, "autoRenewal": .boolean(autoRenewal),
    ])
  }
}

extension Membership {
  var exported: JSONValue {
    .object([
      "account": (primaryID?.rawValue).exported, "secondAccount": (secondID?.rawValue).exported,
      "tier": (tier?.rawValue).exported, "cycle": (cycle?.rawValue).exported,
      "lastDay": expireDate.map { .string("\($0)") } ?? .null, "autoRenew": .boolean(autoRenew),
    ])
  }
}

extension PurchaseAssociation {
  var exported: JSONValue {
    .object([
      "user": .string(userID.rawValue), "app": .string(bundleID),
      "associatedDate": associatedDate.exported,
    ])
  }
}

extension AssociationConflict {
  var exported: JSONValue {
    .object([
      "kind": .string("conflict"), "originalTransactionId": .string(originalTransactionID),
      "owner": .string(owner.rawValue), "claimant": .string(claimant.rawValue),
      "date": seenDate.exported,
    ])
  }
}

extension AcquiredProduct {
  func exported(for user: AccountID, in bundleID: String) -> JSONValue {
    .object([
      "kind": .string("acquired"), "user": .string(user.rawValue), "app": .string(bundleID),
      "productId": .string(productID), "viaProductId": .string(viaProductID),
      "acquiredDate": acquiredDate.exported,
    ])
  }
}

extension Dispute {
  var exported: JSONValue {
    .object([
      "kind": .string("dispute"), "number": .integer(number),
      "originalTransactionId": .string(originalTransactionID),
      "account": .string(accountID.rawValue), "date": date.exported,
    ])
  }
}

extension CreditTransaction {
  var exported: JSONValue {
    .object([
      "kind": .string("creditPurchase"), "number": id.map { .integer($0) } ?? .null,
      "user": (userID?.rawValue).exported,
      "transactionId": .string(purchase.transactionID), "product": productCode.exported,
      "credits": credits.map { .integer($0) } ?? .null, "status": .string("\(status)"),
    ])
  }
}

extension CreditAccount {
  var exported: JSONValue {
    .object([
      "kind": .string("creditAccount"), "user": .string(userID.rawValue),
      "balance": .integer(balance),
    ])
  }
}

extension AuditedEntry {
  var exported: JSONValue {
    .object([
      "kind": .string("creditEntry"), "user": .string(userID.rawValue), "number": .integer(id),
      "amount": .integer(amount), "balanceAfter": .integer(balanceAfter),
    ])
  }
}

extension SupportAct {
  var exported: JSONValue {
    .object([
      "kind": .string("supportAct"), "number": number.map { .integer($0) } ?? .null,
      "account": (account?.rawValue).exported, "member": .string(member), "act": .string(kind),
      "about": (try? JSONValue(parsing: Array(data.utf8))) ?? .string(data),
      "date": date.exported, "result": result.exported,
    ])
  }
}
