internal import StorekeeperCrypto
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What has to hold of one receipt beyond the configuration of the verifier.
///
/// Source: contract on signed data, sections 6.2 (step 9) and 6.5.
public struct ReceiptExpectation: Hashable, Sendable {
  /// The device that the receipt has to be made for, or nil to leave that unchecked.
  ///
  /// 16 bytes of the vendor identifier on iOS, 6 bytes of the primary network address on macOS.
  /// It changes when an app is installed anew, so a mismatch on an old receipt is no proof of fraud.
  public var deviceIdentifier: [UInt8]?
  /// The version that the app has to have, or nil to leave that unchecked.
  public var applicationVersion: String?

  /// Asks for a device, a version, or neither.
  public init(deviceIdentifier: [UInt8]? = nil, applicationVersion: String? = nil) {
    self.deviceIdentifier = deviceIdentifier
    self.applicationVersion = applicationVersion
  }

  /// Checks version, end and device, in this order.
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
  /// What is asked for, without the device.
  public var description: String {
    "ReceiptExpectation(device: \(deviceIdentifier != nil), version: \(applicationVersion ?? "any"))"
  }

  /// Without the device.
  public var customMirror: Mirror {
    Mirror(self, children: ["applicationVersion": applicationVersion as Any])
  }
}
