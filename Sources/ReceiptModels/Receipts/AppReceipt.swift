#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an app receipt says: the app, and the purchases that were made in it.
///
/// A value alone proves nothing; only a verifier tells that Apple signed it. Attributes that are
/// present but empty and attributes that are absent are both nil here; ``attributes`` tells them
/// apart.
///
/// Source: Apple, Receipt Fields; contract on signed data, section 6.4.
public struct AppReceipt: Hashable, Sendable {
  /// Where the receipt was issued (attribute 0).
  public var receiptType: ReceiptType
  /// The app's bundle id (attribute 2).
  public var bundleID: String
  /// When the receipt was made, in whole or fractional seconds (attribute 12).
  public var creationDate: Date
  /// The number that Apple gave the app, 0 in the Sandbox (attribute 1; `adam_id`, `app_item_id`).
  public var appItemID: Int?
  /// The version of the app, CFBundleVersion on iOS (attribute 3).
  public var applicationVersion: String?
  /// The version of the app that was bought first, "1.0" in the Sandbox (attribute 19).
  public var originalApplicationVersion: String?
  /// When the app was bought first (attribute 18).
  public var originalPurchaseDate: Date?
  /// When the receipt ends, for the volume purchase program; Xcode says year 4001 (attribute 21).
  public var expirationDate: Date?
  /// The age rating, such as "4+" (attribute 10, undocumented).
  public var ageRating: String?
  /// The developer's number, 0 in the Sandbox (attribute 11, undocumented).
  public var developerID: Int?
  /// The number of the download, 0 in the Sandbox (attribute 15, undocumented; `download_id`).
  public var downloadID: Int?
  /// The number of the app's version, 0 in the Sandbox (attribute 16, undocumented).
  public var versionExternalIdentifier: Int?
  /// Bytes that take part in the device hash (attribute 4).
  public var opaqueValue: [UInt8]
  /// The device hash (attribute 5): SHA-1 over device identifier, ``opaqueValue`` and
  /// ``bundleIDValue``.
  public var sha1Hash: [UInt8]
  /// The value of attribute 2 with its tag and length bytes, as the device hash takes it.
  public var bundleIDValue: [UInt8]
  /// The purchases, in the order of the receipt (attributes 17).
  public var purchases: [Purchase]
  /// All attributes but the purchases, known or not, in the order of the receipt.
  public var attributes: [Attribute]

  /// A receipt with what every receipt has.
  public init(receiptType: ReceiptType, bundleID: String, creationDate: Date) {
    self.receiptType = receiptType
    self.bundleID = bundleID
    self.creationDate = creationDate
    opaqueValue = []
    sha1Hash = []
    bundleIDValue = []
    purchases = []
    attributes = []
  }

  /// One attribute as it stands in the receipt.
  public struct Attribute: Hashable, Sendable {
    /// Its type.
    public var type: Int
    /// Its version, of no known meaning.
    public var version: Int
    /// Shares its memory with the receipt that it was read from, as most are never looked at.
    private var slice: ArraySlice<UInt8>

    /// The content of its octet string: one DER value, or raw bytes (types 4 to 7).
    public var value: [UInt8] {
      get { Array(slice) }
      set { slice = newValue[...] }
    }

    /// An attribute.
    public init(type: Int, version: Int = 1, value: [UInt8]) {
      self.init(type: type, version: version, sharing: value[...])
    }

    package init(type: Int, version: Int, sharing value: ArraySlice<UInt8>) {
      self.type = type
      self.version = version
      slice = value
    }
  }
}

extension AppReceipt: CustomReflectable {
  /// What identifies the receipt, without the bytes that tie it to a device.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "receiptType": receiptType, "bundleID": bundleID, "creationDate": creationDate,
        "applicationVersion": applicationVersion as Any, "purchases": purchases,
      ], displayStyle: .struct)
  }
}
