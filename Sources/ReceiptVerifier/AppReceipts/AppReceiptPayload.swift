internal import StorekeeperCrypto
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The content of an app receipt: attributes in ASN.1.
struct AppReceiptPayload {
  /// The bytes that hold the content: the receipt, or a copy of the content alone.
  let bytes: [UInt8]
  let range: Range<Int>

  /// Reads the creation date, the only attribute that is read before the signature is verified.
  func creationDate() throws(ReceiptFailure) -> Date {
    let path = ReceiptPath(attribute: AppReceiptType.creationDate)
    var attributes = try whole()
    var date: Date?
    while let attribute = try attributes.next(bytes, in: ReceiptPath()) {
      guard attribute.type == AppReceiptType.creationDate else { continue }
      guard date == nil else { throw .duplicateAttribute(attribute.type) }
      do throws(DERReader.Failure) {
        date = try ReceiptValue.date(in: bytes, attribute.value)
      } catch {
        throw .payloadMalformed(path)
      }
      guard date != nil else { throw .noCreationDate }
    }
    guard let date else { throw .noCreationDate }
    return date
  }

  /// Decodes the receipt.
  func receipt() throws(ReceiptFailure) -> AppReceipt {
    var attributes = try whole()
    var seen = SeenTypes()
    var receiptType: String?
    var bundleID: String?
    var creationDate: Date?
    // The three required attributes get their values at the end.
    var receipt = AppReceipt(
      receiptType: .production, bundleID: "", creationDate: Date(timeIntervalSince1970: 0))
    var own: [AttributeTable.Place] = []
    var purchases = PurchaseState()
    // The usual attribute of a purchase takes 42 bytes.
    purchases.places.reserveCapacity(range.count / 40)
    while let attribute = try attributes.next(bytes, in: ReceiptPath()) {
      let range = attribute.value
      if attribute.type == AppReceiptType.purchase {
        receipt.purchases.append(AppReceipt.Purchase())
        let index = receipt.purchases.count - 1
        try read(range, at: index, into: &receipt.purchases[index], &purchases)
        continue
      }
      own.append(attribute)
      guard AppReceiptType.single.contains(attribute.type) else { continue }
      guard seen.insert(attribute.type) else { throw .duplicateAttribute(attribute.type) }
      do throws(DERReader.Failure) {
        switch attribute.type {
        case AppReceiptType.receiptType: receiptType = try ReceiptValue.text(in: bytes, range)
        case AppReceiptType.bundleID:
          bundleID = try ReceiptValue.text(in: bytes, range)
          receipt.bundleIDValue = Array(bytes[range])
        case AppReceiptType.creationDate: creationDate = try ReceiptValue.date(in: bytes, range)
        case 1: receipt.appItemID = try ReceiptValue.integer(in: bytes, range)
        case 3: receipt.applicationVersion = try ReceiptValue.text(in: bytes, range)
        case 4: receipt.opaqueValue = Array(bytes[range])
        case 5: receipt.sha1Hash = Array(bytes[range])
        case 10: receipt.ageRating = try ReceiptValue.plainText(in: bytes, range)
        case 11: receipt.developerID = try ReceiptValue.integer(in: bytes, range)
        case 15: receipt.downloadID = try ReceiptValue.integer(in: bytes, range)
        case 16: receipt.versionExternalIdentifier = try ReceiptValue.integer(in: bytes, range)
        case 18: receipt.originalPurchaseDate = try ReceiptValue.date(in: bytes, range)
        case 19: receipt.originalApplicationVersion = try ReceiptValue.text(in: bytes, range)
        case 21: receipt.expirationDate = try ReceiptValue.date(in: bytes, range)
        default: break
        }
      } catch {
        throw .payloadMalformed(ReceiptPath(attribute: attribute.type))
      }
    }
    guard let receiptType else { throw .missingAttribute(AppReceiptType.receiptType) }
    guard let bundleID else { throw .missingAttribute(AppReceiptType.bundleID) }
    guard let creationDate else { throw .noCreationDate }
    receipt.receiptType = ReceiptType(rawValue: receiptType)
    receipt.bundleID = bundleID
    receipt.creationDate = creationDate
    receipt.take(own, purchases, of: bytes)
    return receipt
  }

  /// Decodes a purchase, which is itself a set of attributes.
  private func read(
    _ range: Range<Int>, at index: Int, into purchase: inout AppReceipt.Purchase,
    _ state: inout PurchaseState
  ) throws(ReceiptFailure) {
    let path = ReceiptPath(purchase: index)
    var attributes = try Attributes(bytes, in: range, path: path)
    var seen = SeenTypes()
    while let attribute = try attributes.next(bytes, in: path) {
      let range = attribute.value
      state.places.append(attribute)
      guard AppReceiptType.singleInPurchase.contains(attribute.type) else { continue }
      guard seen.insert(attribute.type - 1700) else {
        throw .duplicateAttribute(attribute.type)
      }
      do throws(DERReader.Failure) {
        switch attribute.type {
        case 1701: purchase.quantity = try ReceiptValue.integer(in: bytes, range)
        case 1702: purchase.productID = try state.productID.text(in: bytes, range)
        case 1703: purchase.transactionID = try ReceiptValue.text(in: bytes, range)
        case 1704: purchase.purchaseDate = try ReceiptValue.date(in: bytes, range)
        case 1705:
          purchase.originalTransactionID = try state.originalTransactionID.text(in: bytes, range)
        case 1706: purchase.originalPurchaseDate = try ReceiptValue.date(in: bytes, range)
        case 1707:
          let type = try ReceiptValue.integer(in: bytes, range)
          purchase.productType = AppReceiptProductType(rawValue: type)
        case 1708: purchase.expiresDate = try ReceiptValue.date(in: bytes, range)
        case 1710: purchase.itemID = try ReceiptValue.integer(in: bytes, range)
        case 1711: purchase.webOrderLineItemID = try ReceiptValue.integer(in: bytes, range)
        case 1712: purchase.cancellationDate = try ReceiptValue.date(in: bytes, range)
        case 1713: purchase.isTrialPeriod = try flag(range)
        case 1719: purchase.isInIntroOfferPeriod = try flag(range)
        case 1721: purchase.promotionalOfferID = try ReceiptValue.text(in: bytes, range)
        case 1722: purchase.ownershipCode = try ReceiptValue.integer(in: bytes, range)
        default: break
        }
      } catch {
        throw .payloadMalformed(ReceiptPath(attribute: attribute.type, purchase: index))
      }
    }
    state.ends.append(state.places.count)
  }

  private func flag(_ range: Range<Int>) throws(DERReader.Failure) -> Bool {
    switch try ReceiptValue.integer(in: bytes, range) {
    case 0: false
    case 1: true
    default: throw DERReader.Failure()
    }
  }

  private func whole() throws(ReceiptFailure) -> Attributes {
    try Attributes(bytes, in: range, path: ReceiptPath())
  }

  /// A reader of attributes whose failures name their path.
  private struct Attributes {
    private var reader: ReceiptAttributeReader

    init(_ bytes: [UInt8], in range: Range<Int>, path: ReceiptPath) throws(ReceiptFailure) {
      do throws(DERReader.Failure) {
        reader = try ReceiptAttributeReader(bytes, in: range)
      } catch {
        throw .payloadMalformed(path)
      }
    }

    mutating func next(
      _ bytes: [UInt8], in path: ReceiptPath
    ) throws(ReceiptFailure) -> AttributeTable.Place? {
      do throws(DERReader.Failure) {
        return try reader.next(bytes)
      } catch {
        throw .payloadMalformed(path)
      }
    }
  }
}

/// What reading the purchases of a receipt keeps from one to the next.
private struct PurchaseState {
  /// The places of the attributes of all purchases, one after the other.
  var places: [AttributeTable.Place] = []
  /// The number of places up to the end of each purchase.
  var ends: [Int] = []
  var productID = RepeatedText()
  var originalTransactionID = RepeatedText()
}

extension AppReceipt {
  /// Gives the receipt and each purchase its attributes, which share one table.
  fileprivate mutating func take(
    _ own: [AttributeTable.Place], _ inPurchases: PurchaseState, of bytes: [UInt8]
  ) {
    let table = AttributeTable(bytes, inPurchases.places + own)
    var start = 0
    for (index, end) in inPurchases.ends.enumerated() {
      purchases[index].attributeList = AttributeList(table, at: start..<end)
      start = end
    }
    attributeList = AttributeList(table, at: start..<table.count)
  }
}

/// The attribute types that the rules name, and the ranges of those that occur at most once.
private enum AppReceiptType {
  static let receiptType = 0
  static let bundleID = 2
  static let creationDate = 12
  static let purchase = 17

  /// The types of the app receipt; 17 repeats, and types above 25 are unknown.
  static let single = 0...25
  static let singleInPurchase = 1701...1722
}

/// A set of small numbers.
private struct SeenTypes {
  private var bits: UInt64 = 0

  /// Inserts a number; returns whether it is new.
  mutating func insert(_ number: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(number)
    defer { bits |= bit }
    return bits & bit == 0
  }
}
