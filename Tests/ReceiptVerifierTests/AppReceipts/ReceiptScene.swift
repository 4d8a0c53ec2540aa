import Foundation
import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting

/// A receipt of a test authority and a verifier that trusts it, at a fixed time.
enum ReceiptScene {
  /// The shared authority, because RSA keys take a while to generate.
  private static let made = Result { try TestAuthority.forReceipts() }

  static var authority: TestAuthority {
    get throws { try made.get() }
  }

  static let bundleID = "com.example.reader"
  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// A receipt of one renewed subscription and one consumable.
  static var receipt: AppReceipt {
    var receipt = AppReceipt(
      receiptType: .production, bundleID: bundleID, creationDate: now.addingTimeInterval(-60))
    receipt.appItemID = 1_234_567_890
    receipt.applicationVersion = "7"
    receipt.originalApplicationVersion = "1.0"
    receipt.originalPurchaseDate = now.addingTimeInterval(-90_000)
    receipt.opaqueValue = [UInt8](repeating: 7, count: 16)
    receipt.sha1Hash = [UInt8](repeating: 9, count: 20)
    receipt.purchases = [purchase(1), purchase(2)]
    receipt.purchases[1].productID = "reader.coffee"
    receipt.purchases[1].productType = .consumable
    receipt.purchases[1].expiresDate = nil
    receipt.purchases[1].webOrderLineItemID = 0
    return receipt
  }

  static func purchase(_ number: Int) -> AppReceipt.Purchase {
    var purchase = AppReceipt.Purchase()
    purchase.quantity = 1
    purchase.productID = "reader.monthly"
    purchase.transactionID = String(1000 + number)
    purchase.originalTransactionID = "1001"
    purchase.purchaseDate = now.addingTimeInterval(-3600)
    purchase.originalPurchaseDate = now.addingTimeInterval(-7200)
    purchase.productType = .autoRenewableSubscription
    purchase.expiresDate = now.addingTimeInterval(3600)
    purchase.webOrderLineItemID = 5000 + number
    purchase.isTrialPeriod = false
    purchase.isInIntroOfferPeriod = true
    purchase.ownershipCode = 0
    return purchase
  }

  static func verifier(
    trusting anchor: TrustAnchor? = nil, environments: Set<AppStoreEnvironment> = [.production],
    clockPolicy: ClockPolicy = .signedDate, now: Date = now
  ) throws -> AppReceiptVerifier {
    try AppReceiptVerifier(
      bundleIDs: [bundleID], environments: environments,
      trustAnchors: [anchor ?? authority.trustAnchor], clockPolicy: clockPolicy, now: { now })
  }

  /// Returns the content of the receipt after a change.
  static func signed(_ change: (inout AppReceipt) -> Void) throws -> [UInt8] {
    var receipt = receipt
    change(&receipt)
    return try authority.sign(receipt)
  }

  /// Returns the reason why a receipt is refused, or nil if it is accepted.
  static func refusal(
    of der: [UInt8], by verifier: AppReceiptVerifier? = nil,
    expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws -> ReceiptFailure? {
    let verifier = try verifier ?? self.verifier()
    do throws(ReceiptFailure) {
      _ = try verifier.verify(der: der, expecting: expectation)
      return nil
    } catch {
      return error
    }
  }
}

extension ReceiptScene {
  /// Leaf, intermediate and root.
  static func ders(_ authority: TestAuthority) -> [[UInt8]] {
    [.leaf, .intermediate, .root].map(authority.certificate)
  }

  /// Returns the message with other certificates, or the same ones in another order; OpenSSL always
  /// sorts them.
  static func message(_ message: [UInt8], withCertificates ders: [[UInt8]]) throws -> [UInt8] {
    try rebuilt(message) { parts in
      parts.certificates =
        DERHeader(.constructed(0), length: ders.joined().count).bytes
        + ders.joined()
    }
  }

  /// The parts of signed data, each with tag and length.
  struct Parts {
    var version: [UInt8]
    var digests: [UInt8]
    var content: [UInt8]
    var certificates: [UInt8]
    var signers: [UInt8]
  }

  /// Returns a message after a change of its parts.
  static func rebuilt(
    _ message: [UInt8], _ change: (inout Parts) throws -> Void
  ) throws -> [UInt8] {
    // Message, type, explicit tag and signed data precede the parts, with two bytes of length.
    var rest = message[(4 + 11 + 4 + 4)...]
    func next() throws -> [UInt8] {
      var length = Int(rest[rest.startIndex + 1])
      var header = 2
      if length > 0x80 {
        header += length - 0x80
        length = rest.dropFirst(2).prefix(header - 2).reduce(0) { $0 << 8 | Int($1) }
      }
      defer { rest = rest.dropFirst(header + length) }
      return Array(rest.prefix(header + length))
    }
    var parts = Parts(
      version: try next(), digests: try next(), content: try next(), certificates: try next(),
      signers: try next())
    try change(&parts)
    let signedData =
      parts.version + parts.digests + parts.content + parts.certificates + parts.signers
    let explicit = DERHeader(.sequence, length: signedData.count).bytes + signedData
    let body =
      message[4..<15] + DERHeader(.constructed(0), length: explicit.count).bytes + explicit
    return DERHeader(.sequence, length: body.count).bytes + body
  }
}
