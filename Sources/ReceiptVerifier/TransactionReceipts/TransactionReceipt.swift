internal import StorekeeperCrypto
internal import JSONValues
public import ReceiptModels

/// A transaction receipt of iOS 6 or earlier, decoded and *not* verified: anyone can write one.
///
/// Ask Apple (``VerifyReceiptClient``), or check a signature of version 3 with
/// ``TransactionReceiptVerifier``. `environment`, `pod` and `signing-status` are not signed in any
/// version, and nothing should be decided by them.
///
/// Source: contract on signed data, section 6.7.
public struct TransactionReceipt: Hashable, Sendable {
  /// What the receipt says was bought.
  public let transaction: ReceiptTransaction
  /// Where it says it was bought; never signed.
  public let claimedEnvironment: AppStoreEnvironment?
  /// The signature, or nil when there is none.
  let signature: Signature?
  /// The bytes that the signature covers, behind its version.
  let purchaseInfo: [UInt8]

  /// The version of the signature, or nil when there is none: 2 and 3 are known.
  public var signatureVersion: Int? { signature.map { Int($0.version) } }

  /// The parts of a signature.
  struct Signature: Hashable, Sendable {
    var version: UInt8
    var bytes: [UInt8]
    var certificate: [UInt8]
  }

  /// Decodes a receipt.
  ///
  /// - Parameter input: What came, recognised and decoded from base64.
  /// - Throws: ``ReceiptFailure`` when it is none, or its parts do not have their form.
  public init(_ input: ReceiptInput) throws(ReceiptFailure) {
    guard input.kind == .transactionReceipt else { throw .inputKind(input.kind) }
    guard let list = OpenStepPropertyList(input.bytes)?.texts,
      let info = list["purchase-info"].flatMap(Self.decoded),
      let purchase = OpenStepPropertyList(info)?.texts,
      let transaction = Self.transaction(purchase)
    else { throw .malformedPropertyList }
    self.transaction = transaction
    purchaseInfo = info
    claimedEnvironment = list["environment"].map(AppStoreEnvironment.init(rawValue:))
    signature = try list["signature"].map { text throws(ReceiptFailure) in
      guard let bytes = Self.decoded(text), let signature = Signature(bytes) else {
        throw .signatureMalformed
      }
      return signature
    }
  }

  private static func decoded(_ text: String) -> [UInt8]? {
    Base64.decode(Array(text.utf8)[...], .standard)
  }

  /// The transaction under the names of verifyReceipt, which differ in their hyphens only.
  private static func transaction(_ texts: [String: String]) -> ReceiptTransaction? {
    var members: [String: JSONValue] = [:]
    for (name, text) in texts {
      members[name.replacing("-", with: "_")] = .string(text)
    }
    return try? ReceiptTransaction(json: .object(members))
  }
}

extension TransactionReceipt.Signature {
  /// Takes apart: the version, an RSA signature as long as the version has it, four bytes of length,
  /// the certificate, nothing behind.
  init?(_ bytes: [UInt8]) {
    guard let version = bytes.first else { return nil }
    let count =
      switch version {
      case 2: 128
      case 3: 256
      default: 0
      }
    let lengthField = bytes.dropFirst(1 + count).prefix(4)
    let certificate = bytes.dropFirst(1 + count + 4)
    guard count > 0 else {
      // An unknown version: its number is all there is to say.
      self.init(version: version, bytes: [], certificate: [])
      return
    }
    guard lengthField.count == 4, !certificate.isEmpty,
      lengthField.reduce(0, { $0 << 8 | Int($1) }) == certificate.count
    else { return nil }
    self.init(
      version: version, bytes: Array(bytes[1...count]), certificate: Array(certificate))
  }
}

extension TransactionReceipt: CustomStringConvertible, CustomReflectable {
  /// The version of the signature, never the receipt.
  public var description: String {
    "TransactionReceipt(signature version \(signatureVersion.map(String.init) ?? "none"))"
  }

  /// The transaction, never the signature.
  public var customMirror: Mirror { Mirror(self, children: ["transaction": transaction]) }
}
