internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PurchaseRecord {
  /// What could not be read, as bits of `unreadable_fields`.
  private static var unreadableFields: [(Int, WritableKeyPath<PurchaseRecord, Bool>)] {
    [
      (1, \.hasUnreadableExpiry), (2, \.hasUnreadableCancellation), (4, \.hasUnreadableOffer),
      (8, \.isOutdated),
    ]
  }

  /// The values of `transaction_record`, in its order.
  func row(_ environment: AppStoreEnvironment, now: Date) -> [SQLValue] {
    let unreadable = Self.unreadableFields.reduce(0) { bits, field in
      self[keyPath: field.1] ? bits | field.0 : bits
    }
    return [
      .environment(environment), .text(originalTransactionID), .text(transactionID),
      .text(productID), .number(quantity), .name(webOrderLineItemID),
      .milliseconds(purchaseDate), .milliseconds(originalPurchaseDate),
      .milliseconds(expiresDate), .flag(isTrialPeriod), .flag(isInIntroOfferPeriod),
      .flag(isUpgraded), .milliseconds(cancellationDate), .number(revocationReason?.rawValue),
      .name(offer?.identifier), .name(subscriptionGroupID), .name(productType?.rawValue),
      .name(appAccountToken?.uuidString), .name(ownership?.rawValue),
      .name(revocationType?.rawValue), .number(offer?.type.rawValue), .number(unreadable),
      .seconds(now), .milliseconds(signedDate),
    ]
  }

  /// Reads a row of `transaction_find`.
  init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      transactionID: reader.text(), originalTransactionID: reader.text(),
      productID: reader.text())
    environment = reader.environment()
    quantity = reader.number() ?? 1
    webOrderLineItemID = reader.name()
    purchaseDate = reader.milliseconds()
    originalPurchaseDate = reader.milliseconds()
    expiresDate = reader.milliseconds()
    isTrialPeriod = reader.flag()
    isInIntroOfferPeriod = reader.flag()
    isUpgraded = reader.flag() ?? false
    cancellationDate = reader.milliseconds()
    revocationReason = reader.number().map(RevocationReason.init(rawValue:))
    let offerID = reader.name()
    subscriptionGroupID = reader.name()
    readAdditions(&reader, offerID: offerID)
  }

  private mutating func readAdditions(_ reader: inout SQLRowReader, offerID: String?) {
    productType = reader.name().map(ProductType.init(rawValue:))
    appAccountToken = reader.name().flatMap(UUID.init(uuidString:))
    ownership = reader.name().map(InAppOwnershipType.init(rawValue:))
    revocationType = reader.name().map(RevocationType.init(rawValue:))
    offer = PurchaseOffer(storedType: reader.number(), identifier: offerID)
    let unreadable = reader.number() ?? 0
    for (bit, field) in Self.unreadableFields { self[keyPath: field] = unreadable & bit != 0 }
    let (own, answer) = (reader.milliseconds(), reader.milliseconds())
    signedDate = [own, answer].compactMap(\.self).max()
  }
}

extension PurchaseOffer {
  /// The offer of the two columns; without a type it is a promotional one, as in rows of the past.
  init?(storedType: Int?, identifier: String?) {
    if let storedType {
      self.init(type: OfferType(rawValue: storedType), identifier: identifier)
    } else if let identifier {
      self.init(type: .promotional, identifier: identifier)
    } else {
      return nil
    }
  }
}
