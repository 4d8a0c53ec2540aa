internal import JSONValues
internal import StorekeeperCrypto
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The requirements on one receipt beyond the configuration of the verifier.
///
/// Source: `Documentation/rules/app-store-rules.md`.
public struct ReceiptExpectation: Hashable, Sendable {
  /// The device for which the receipt must have been created, or nil to skip the check.
  ///
  /// On iOS, the 16 bytes of the vendor identifier; on macOS, the 6 bytes of the primary network
  /// address. It changes when the app is reinstalled, so a mismatch on an old receipt does not
  /// prove fraud.
  public var deviceIdentifier: [UInt8]?
  /// The required version of the app, or nil to skip the check.
  public var applicationVersion: String?

  /// Creates an expectation of a device, a version, or neither.
  public init(deviceIdentifier: [UInt8]? = nil, applicationVersion: String? = nil) {
    self.deviceIdentifier = deviceIdentifier
    self.applicationVersion = applicationVersion
  }

  /// Checks version, expiry and device, in this order.
  func check(_ receipt: AppReceipt, at now: Date) throws(ReceiptFailure) {
    if let applicationVersion {
      guard receipt.applicationVersion?.isSameText(as: applicationVersion) == true else {
        throw .versionMismatch(found: receipt.applicationVersion)
      }
    }
    if let end = receipt.expirationDate, end <= now { throw .receiptExpired(end) }
    if let deviceIdentifier {
      let hashed = deviceIdentifier + receipt.opaqueValue + receipt.bundleIDValue
      guard let hash = try? SHA1.digest(of: hashed),
        isEqualInConstantTime(hash, receipt.sha1Hash)
      else { throw .hashMismatch }
    }
  }
}

extension ReceiptExpectation: CustomStringConvertible, CustomReflectable {
  public var description: String {
    "ReceiptExpectation(device: \(deviceIdentifier != nil), version: \(applicationVersion ?? "any"))"
  }

  public var customMirror: Mirror {
    Mirror(self, children: ["applicationVersion": applicationVersion as Any])
  }
}
