import JWSVerifier
import StorekeeperFixtures
import Foundation
import StorekeeperCrypto
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite("The message around an app receipt")
struct ReceiptContainerTests {
  private let content: [UInt8]
  private let genuine: [UInt8]

  init() throws {
    genuine = try ReceiptScene.authority.sign(ReceiptScene.receipt)
    content = try #require(try CMSMessage(genuine).content)
  }

  private func refusal(_ change: (inout CMSBuilder) throws -> Void) throws -> ReceiptFailure? {
    var builder = try ReceiptScene.authority.receiptBuilder()
    try change(&builder)
    return try ReceiptScene.refusal(of: try builder.message(content))
  }

  @Test("SHA-1 is accepted beside SHA-256, as old receipts have it")
  func digests() throws {
    #expect(try refusal { $0.digest = .sha1 } == nil)
    #expect(try refusal { $0.digest = .sha256 } == nil)
    #expect(try refusal { $0.digest = .sha384 } == .unsupportedDigest)
  }

  @Test("one byte behind the message is refused")
  func trailing() throws {
    #expect(try ReceiptScene.refusal(of: genuine + [0]) == .trailingBytes)
    #expect(try ReceiptScene.refusal(of: genuine + genuine) == .trailingBytes)
  }

  @Test("a message cut short at any length is malformed")
  func truncated() throws {
    let verifier = try ReceiptScene.verifier()
    for count in 2..<genuine.count {
      let failure = try ReceiptScene.refusal(of: Array(genuine.prefix(count)), by: verifier)
      #expect(failure == .malformedContainer, "\(count)")
    }
  }

  @Test("a flipped bit of the content or of the signature makes the signature invalid")
  func flipped() throws {
    let verifier = try ReceiptScene.verifier()
    let start = try #require(genuine.firstRange(of: content)).lowerBound
    let date = try #require(content.firstRange(of: Array("2023-11-14T".utf8))).lowerBound + start
    for place in start..<(start + content.count) where !(date..<(date + 20)).contains(place) {
      var changed = genuine
      changed[place] ^= 1
      let failure = try ReceiptScene.refusal(of: changed, by: verifier)
      #expect(failure == .signatureInvalid, "\(place)")
    }
    for place in (genuine.count - 256)..<genuine.count {
      var changed = genuine
      changed[place] ^= 0x80
      #expect(try ReceiptScene.refusal(of: changed, by: verifier) == .signatureInvalid)
    }
  }

  @Test("the creation date cannot be moved, whatever it is moved to")
  func movedDate() throws {
    let verifier = try ReceiptScene.verifier()
    _ = try verifier.verify(der: genuine)
    let place = try #require(genuine.firstRange(of: Array("2023-11-14T".utf8))).lowerBound
    for (offset, digit) in [(0, "3"), (0, "1"), (1, "9"), (3, "2"), (5, "9"), (10, "X")] {
      var changed = genuine
      changed[place + offset] = try #require(digit.utf8.first)
      let failure = try #require(try ReceiptScene.refusal(of: changed, by: verifier))
      let possible: [ReceiptFailure] = [
        .signatureInvalid, .creationDateInFuture, .chain(.certificateNotYetValid(0)),
      ]
      #expect(possible.contains(failure), "\(failure)")
    }
  }

  @Test("any flipped bit is refused or changes nothing that is signed, and is never a crash")
  func anyFlip() throws {
    let verifier = try ReceiptScene.verifier()
    let expected = try verifier.verify(der: genuine).receipt
    for place in genuine.indices {
      var changed = genuine
      changed[place] ^= UInt8(1 << (place % 8))
      let verified = try? verifier.verify(der: changed)
      #expect(verified == nil || verified?.receipt == expected, "\(place)")
    }
  }

  @Test("there has to be one signer")
  func signers() throws {
    // OpenSSL creates no message without it.
    let nobodys = try ReceiptScene.rebuilt(genuine) { $0.signers = [0x31, 0] }
    #expect(try ReceiptScene.refusal(of: nobodys) == .signerCount(0))
    #expect(try refusal { $0.signers += $0.signers } == .signerCount(2))
  }

  @Test("a signer in another form that OpenSSL reads counts as well")
  func unusualSigner() throws {
    let changed = try ReceiptScene.rebuilt(genuine) { parts in
      let signers = parts.signers
      var set = DERReader(in: 0..<signers.count)
      var all = try set.contents(.set, signers)
      let content = try all.value(.sequence, signers).content
      // A length with a leading zero, which DER does not allow.
      let signer =
        [0x30, 0x83, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + signers[content]
      parts.signers = DERHeader(.set, length: signer.count).bytes + signer
    }
    let verifier = try ReceiptScene.verifier()
    #expect(try verifier.verify(der: changed).receipt == verifier.verify(der: genuine).receipt)
  }

  @Test(
    "there is one digest algorithm, as the list is unsigned; more cause no work",
    arguments: [0, 2, 65_000])
  func digestAlgorithms(count: Int) throws {
    #expect(try ReceiptScene.rebuilt(genuine) { _ in } == genuine)
    // SHA-256, with tag and length of the algorithm.
    let entry: [UInt8] = [
      0x30, 0x0B, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01,
    ]
    let changed = try ReceiptScene.rebuilt(genuine) { parts in
      let entries = Array(repeatElement(entry, count: count).joined())
      parts.digests = DERHeader(.set, length: entries.count).bytes + entries
    }
    #expect(try ReceiptScene.refusal(of: changed) == .malformedContainer)
  }

  @Test("unsigned parts have one form: no indefinite length, no revocation lists")
  func oneForm() throws {
    let data: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    let pieces: [UInt8] =
      [0xA0, 0x80, 0x24, 0x80] + DERHeader(.octetString, length: content.count).bytes + content
      + [0, 0, 0, 0]
    let constructed = try ReceiptScene.rebuilt(genuine) { parts in
      parts.content =
        DERHeader(.sequence, length: data.count + pieces.count).bytes + data + pieces
    }
    #expect(try ReceiptScene.refusal(of: constructed) == .malformedContainer)
    let lists = try ReceiptScene.rebuilt(genuine) { parts in
      parts.certificates += DERHeader(.constructed(1), length: 0).bytes
    }
    #expect(try ReceiptScene.refusal(of: lists) == .malformedContainer)
  }

  @Test("attributes of the signer are refused, signed or not")
  func attributes() throws {
    #expect(try refusal { $0.hasSignedAttributes = true } == .unexpectedAttributes)
    #expect(try refusal { $0.hasUnsignedAttributes = true } == .unexpectedAttributes)
  }

  @Test("the content has to be inside")
  func detached() throws {
    #expect(try refusal { $0.hasContent = false } == .malformedContainer)
  }

  @Test("a message of another kind is not signed data")
  func otherKind() throws {
    // ContentInfo { data, [0] OCTET STRING } with lengths above 0x80.
    let data = [UInt8](repeating: 0, count: 0x80)
    let text: [UInt8] = [0x04, 0x81, 0x80] + data
    let type: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    let body = type + [0xA0, 0x81, UInt8(text.count)] + text
    let message: [UInt8] = [0x30, 0x81, UInt8(body.count)] + body
    #expect(try ReceiptScene.refusal(of: message) == .notSignedData)
  }

  @Test("signed data about something else than data is refused")
  func otherContent() throws {
    // The type of the content is the second object identifier of the message.
    let type: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    let place = try #require(genuine.firstRange(of: type)).upperBound - 1
    var changed = genuine
    changed[place] = 0x03
    #expect(try ReceiptScene.refusal(of: changed) == .notSignedData)
  }

  @Test("the order of the certificates does not matter")
  func order() throws {
    // OpenSSL sorts certificates; Apple does not.
    let ders = ReceiptScene.ders(try ReceiptScene.authority)
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let changed = try ReceiptScene.message(genuine, withCertificates: order.map { ders[$0] })
      #expect(try ReceiptScene.refusal(of: changed) == nil, "\(order)")
    }
  }

  @Test("further certificates do no harm")
  func certificates() throws {
    let stranger = try TestAuthority.forReceipts()
    let others = stranger.receiptBuilder().certificates
    #expect(try refusal { $0.certificates.insert(contentsOf: others, at: 0) } == nil)
    // With an anchor in DER, the root need not be embedded.
    #expect(try refusal { $0.certificates.removeLast() } == nil)
  }

  @Test("the certificate that signed has to be there")
  func signerMissing() throws {
    #expect(try refusal { $0.certificates.removeFirst() } == .signerCertificateMissing)
    #expect(try refusal { $0.certificates = [] } == .signerCertificateMissing)
  }

  @Test("more than 10 certificates are refused, 10 are not")
  func certificateCount() throws {
    let others = try (0..<8).map { _ in try TestAuthority().leaf }
    #expect(try refusal { $0.certificates += others.prefix(7) } == nil)
    #expect(
      try refusal { $0.certificates += others } == .tooManyCertificates(limit: 10))
  }

  @Test("a certificate of more than 16 KiB is refused")
  func certificateSize() throws {
    let name = String(repeating: "n", count: 16_384)
    let large = try TestAuthority { $0.leaf.responderAddress(name) }.leaf
    #expect(
      try refusal { $0.certificates.append(large) } == .certificateTooLarge(limit: 16_384))
  }
}

extension TestCertificate {
  /// Makes the certificate as large as a URL.
  fileprivate mutating func responderAddress(_ address: String) {
    revocationResponder = "http://" + address
  }
}
