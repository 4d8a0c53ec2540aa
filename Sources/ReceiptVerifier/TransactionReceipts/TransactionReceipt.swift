internal import StorekeeperCrypto
internal import JSONValues
public import ReceiptModels

/// A transaction receipt of iOS 6 or earlier, decoded and *not* verified: anyone can write one.
///
/// Ask Apple (``VerifyReceiptClient``), or verify a signature of version 3 with
/// ``TransactionReceiptVerifier``. `environment`, `pod` and `signing-status` are not signed in any
/// version; do not base decisions on them. Source: `Documentation/rules/app-store-rules.md`.
public struct TransactionReceipt: Hashable, Sendable {
  /// The purchase that the receipt claims.
  public let transaction: ReceiptTransaction
  /// The environment that the receipt claims, which is never signed.
  public let claimedEnvironment: AppStoreEnvironment?
  /// The signature, or nil if there is none.
  let signature: Signature?
  /// The bytes that the signature covers after its version.
  let purchaseInfo: [UInt8]

  /// The version of the signature, or nil if there is none; 2 and 3 are known.
  public var signatureVersion: Int? { signature.map { Int($0.version) } }

  /// The parts of a signature.
  struct Signature: Hashable, Sendable {
    var version: UInt8
    var bytes: [UInt8]
    var certificate: [UInt8]
  }

  /// Decodes a receipt.
  ///
  /// - Throws: ``ReceiptFailure`` if the input is not a transaction receipt or is malformed.
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
    Base64.decode(text, .standard)
  }

  /// Decodes the transaction by the names of verifyReceipt, which differ only in their hyphens.
  private static func transaction(_ texts: [String: String]) -> ReceiptTransaction? {
    var members: [String: JSONValue] = [:]
    for (name, text) in texts {
      members[name.replacing("-", with: "_")] = .string(text)
    }
    return try? ReceiptTransaction(json: .object(members))
  }
}

extension TransactionReceipt.Signature {
  /// Splits a signature into the version, an RSA signature whose length depends on the version, and
  /// a certificate that follows its length in four bytes and ends the field.
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
      // An unknown version: only its number is kept.
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

  /// A mirror with the transaction, never the signature.
  public var customMirror: Mirror { Mirror(self, children: ["transaction": transaction]) }
}
