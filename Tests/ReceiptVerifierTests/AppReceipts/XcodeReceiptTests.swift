import JSONValues
import StorekeeperFixtures
import Foundation
import StorekeeperCrypto
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite("Receipts of Xcode", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct XcodeReceiptTests {
  static let paths = ["xcode/apple-library-empty.der", "xcode/tp-xcode-2020.der"]

  @Test("are read by their own verifier, and say what the lists say", arguments: paths)
  func read(path: String) throws {
    let expected = try ExpectedReceipt(path: path)
    let verifier = try XcodeReceiptVerifier(bundleIDs: [try #require(expected.bundleID)])
    let receipt = try verifier.verify(try ReceiptInput(bytes: expected.der)).receipt
    #expect(receipt.receiptType == .xcode)
    #expect(receipt.bundleID == expected.bundleID)
    #expect(receipt.creationDate == expected.creationDate)
    #expect(receipt.applicationVersion == expected.text("application_version"))
    #expect(receipt.opaqueValue.count == 8)
    #expect(receipt.originalPurchaseDate == nil)
    #expect(receipt.originalApplicationVersion == nil)
    #expect(receipt.expirationDate == Date(timeIntervalSince1970: 64_092_211_200))
    #expect(receipt.purchases.count == expected.purchases.count)
    for (purchase, list) in zip(receipt.purchases, expected.purchases) {
      #expect(purchase.transactionID == "0")
      #expect(purchase.originalTransactionID == nil)
      #expect(purchase.productID == list["product_id"]?.text)
      #expect(purchase.purchaseDate == list["purchase_date"]?.text.flatMap(ExpectedReceipt.date))
      #expect(purchase.expiresDate == list["expires_date"]?.text.flatMap(ExpectedReceipt.date))
    }
  }

  @Test("are refused as test data by the verifier of Apple's, in any environment", arguments: paths)
  func notApples(path: String) throws {
    let der = Array(try Fixtures.data(path))
    let verifier = try AppReceiptVerifier(bundleIDs: nil, environments: [.production, .sandbox])
    #expect(try ReceiptScene.refusal(of: der, by: verifier) == .inputKind(.xcodeReceipt))
  }

  @Test("are of one app")
  func bundle() throws {
    let expected = try ExpectedReceipt(path: Self.paths[0])
    #expect(throws: ReceiptFailure.bundleMismatch(found: expected.bundleID)) {
      try XcodeReceiptVerifier(bundleIDs: ["com.example"]).verify(
        try ReceiptInput(bytes: expected.der))
    }
  }

  @Test("are refused when they are altered, cut short or lengthened", arguments: paths)
  func altered(path: String) throws {
    let der = Array(try Fixtures.data(path))
    let verifier = try XcodeReceiptVerifier(bundleIDs: nil)
    let expected = try verifier.verify(try ReceiptInput(bytes: der))
    #expect(throws: ReceiptFailure.trailingBytes) {
      try verifier.verify(try ReceiptInput(bytes: der + [0]))
    }
    for count in 2..<der.count {
      #expect(throws: ReceiptFailure.self) {
        try verifier.verify(try ReceiptInput(bytes: Array(der.prefix(count))))
      }
    }
    for place in der.indices {
      var changed = der
      changed[place] ^= 4
      let read = try? verifier.verify(try ReceiptInput(bytes: changed))
      #expect(read == nil || read == expected, "\(place)")
    }
    let place = try #require(der.firstRange(of: Array("Xcode".utf8))).lowerBound
    var changed = der
    changed[place] = UInt8(ascii: "x")
    #expect(throws: ReceiptFailure.signatureInvalid) {
      try verifier.verify(try ReceiptInput(bytes: changed))
    }
  }
}

@Suite("Receipts of an Xcode with a certificate of its own")
struct OwnXcodeReceiptTests {
  private let key: PrivateKey
  private let certificate: Certificate

  init() throws {
    key = try PrivateKey(generating: .rsa2048)
    certificate = try Self.builder(serialNumber: 1)
      .certificate(for: key, issuedBy: nil, signedWith: key)
  }

  private static func builder(serialNumber: Int) -> CertificateBuilder {
    CertificateBuilder(
      subject: "StoreKit", serialNumber: serialNumber,
      validity: .init(notBefore: 1_600_000_000, notAfter: 1_800_000_000))
  }

  /// Why a receipt is refused by who trusts the certificate, or nil when it is not.
  private func refusal(
    made: Double = 1_700_000_000, type: ReceiptType = .xcode,
    trusting certificates: [[UInt8]]? = nil, _ change: (inout CMSBuilder) -> Void = { _ in }
  ) throws -> ReceiptFailure? {
    var receipt = ReceiptScene.receipt
    receipt.receiptType = type
    receipt.creationDate = Date(timeIntervalSince1970: made)
    let signed = try ReceiptScene.authority.sign(receipt)
    var builder = CMSBuilder(certificates: [certificate], signers: [(certificate, key)])
    change(&builder)
    let message = try builder.message(try #require(try CMSMessage(signed).content))
    // Xcode writes the outermost length as indefinite.
    let indefinite = [0x30, 0x80] + message.dropFirst(4) + [0, 0]
    let verifier = try XcodeReceiptVerifier(
      bundleIDs: [ReceiptScene.bundleID], certificates: certificates ?? [certificate.der],
      now: { Date(timeIntervalSince1970: 2_000_000_000) })
    do throws(ReceiptFailure) {
      _ = try verifier.verify(try ReceiptInput(bytes: indefinite))
      return nil
    } catch {
      return error
    }
  }

  @Test("need that certificate")
  func trust() throws {
    #expect(try refusal() == nil)
    #expect(try refusal(trusting: []) == .untrustedRoot)
    #expect(try refusal { $0.certificates = [] } == .untrustedRoot)
    #expect(throws: ReceiptConfigurationFailure.notACertificate(0)) {
      try refusal(trusting: [[0x30, 0]])
    }
  }

  @Test("have to be signed by it")
  func signer() throws {
    let other = try Self.builder(serialNumber: 2)
      .certificate(for: key, issuedBy: nil, signedWith: key)
    #expect(
      try refusal { $0.signers = [(other, key)] } == .signerCertificateMissing)
    #expect(try refusal { $0.signers += $0.signers } == .signerCount(2))
    #expect(try refusal { $0.hasSignedAttributes = true } == .unexpectedAttributes)
  }

  @Test("have to be made while it is valid")
  func time() throws {
    #expect(try refusal(made: 1_600_000_000) == nil)
    #expect(try refusal(made: 1_599_999_999) == .certificateNotYetValid(0))
    #expect(try refusal(made: 1_800_000_000) == nil)
    #expect(try refusal(made: 1_800_000_001) == .certificateExpired(0))
    #expect(try refusal(made: 2_000_000_301) == .creationDateInFuture)
  }

  @Test("have to be of Xcode")
  func type() throws {
    #expect(try refusal(type: .production) == .environmentNotAllowed(.production))
    #expect(try refusal(type: ReceiptType(rawValue: "Other")) == .environmentUnknown("Other"))
  }
}
