import Foundation
import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("When certificates have to be valid")
struct ClockTests {
  /// A leaf that is valid for the hour before and the hour after the usual moment.
  private static let notBefore = Sample.now.addingTimeInterval(-3_600)
  private static let notAfter = Sample.now.addingTimeInterval(3_600)

  let authority: TestAuthority

  init() throws {
    authority = try TestAuthority {
      $0.leaf.notBefore = Self.notBefore
      $0.leaf.notAfter = Self.notAfter
    }
  }

  private func token(signedDate: JSONValue?) throws -> String {
    try authority.sign(Sample.transaction(["signedDate": signedDate]))
  }

  private func token(signedAt date: Date) throws -> String {
    try token(signedDate: .number(date.timeIntervalSince1970 * 1000))
  }

  // MARK: By the time of signing

  @Test(
    "the leaf has to be valid at the time of signing, both ends included",
    arguments: [
      (-3_600.001, SignedDataFailure.certificateNotYetValid(0)),
      (-86_400, .certificateNotYetValid(0)),
      (-3_600, nil), (-3_599, nil), (0, nil), (3_599, nil), (3_600, nil),
      (3_600.001, .certificateExpired(0)), (86_400, .certificateExpired(0)),
    ] as [(TimeInterval, SignedDataFailure?)])
  func signedDate(offset: TimeInterval, reason: SignedDataFailure?) throws {
    let token = try token(signedAt: Sample.now.addingTimeInterval(offset))
    let verifier = try authority.verifier(now: Sample.now.addingTimeInterval(1_000_000))
    try expect(reason, of: token, by: verifier)
  }

  @Test("a token of an ended leaf stays valid, however late it is judged")
  func longAfter() throws {
    let token = try token(signedAt: Sample.now)
    let verifier = try authority.verifier(now: Sample.now.addingTimeInterval(1_000_000_000))
    #expect(try verifier.transaction(token).signedDate == Sample.now)
  }

  @Test(
    "the time of signing may lie five minutes ahead of now and not more",
    arguments: [
      (299, nil), (300, nil), (300.001, .signedDateInFuture), (301, .signedDateInFuture),
      (86_400 * 365, .signedDateInFuture), (1e300, .signedDateInFuture),
    ] as [(TimeInterval, SignedDataFailure?)])
  func future(offset: TimeInterval, reason: SignedDataFailure?) throws {
    let token = try token(signedAt: Sample.now.addingTimeInterval(offset))
    try expect(reason, of: token, by: authority.verifier())
  }

  @Test("a time of signing in 2031 is in the future, before the certificates are judged")
  func year2031() throws {
    let token = try token(signedDate: .integer(1_924_992_000_000))
    #expect(throws: SignedDataFailure.signedDateInFuture) {
      try authority.verifier().transaction(token)
    }
  }

  @Test("a time of signing in 1969 is before the certificates")
  func negative() throws {
    for date in [JSONValue.integer(-1), .number(-1.5), .number(-1e300), .integer(.min)] {
      #expect(throws: SignedDataFailure.certificateNotYetValid(0)) {
        try authority.verifier().transaction(token(signedDate: date))
      }
    }
  }

  @Test("a fractional time of signing is accepted and kept")
  func fractional() throws {
    let token = try token(signedDate: .number(1_761_962_975_000.123))
    let verified = try authority.verifier().transaction(token)
    #expect(verified.signedDate == verified.payload.signedDate)
    let seconds = try #require(verified.signedDate).timeIntervalSince1970
    #expect(abs(seconds - 1_761_962_975.000_123) < 0.000_001)
  }

  // MARK: Without a time of signing

  @Test(
    "without a time of signing, or with null for it, now decides",
    arguments: [nil, .null] as [JSONValue?])
  func missing(signedDate: JSONValue?) throws {
    let token = try token(signedDate: signedDate)
    #expect(try authority.verifier().transaction(token).signedDate == nil)
    try expect(.certificateExpired(0), of: token, by: verifier(at: Self.notAfter, plus: 1))
    try expect(.certificateNotYetValid(0), of: token, by: verifier(at: Self.notBefore, plus: -1))
  }

  @Test(
    "with a time of signing that is no number now decides, and then the field is refused",
    arguments: [
      (.string("1761962975000"), .string), (.boolean(true), .boolean), (.array([]), .array),
      (.object(["ms": Sample.milliseconds]), .object),
    ] as [(JSONValue, JSONKind)])
  func wrongType(signedDate: JSONValue, kind: JSONKind) throws {
    let token = try token(signedDate: signedDate)
    let failure = #expect(throws: SignedDataFailure.self) {
      try authority.verifier().transaction(token)
    }
    guard case .fieldType(let fault, let payload) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(fault == FieldTypeFailure(path: "signedDate", expected: .number, found: kind))
    #expect(payload.bytes == (try TokenParts(token).payloadBytes))
    try expect(.certificateExpired(0), of: token, by: verifier(at: Self.notAfter, plus: 1))
  }

  @Test("a time of signing deeper in the payload chooses nothing")
  func nestedDate() throws {
    let token = try authority.sign(
      Sample.transaction([
        "signedDate": nil, "data": .object(["signedDate": Sample.milliseconds]),
        "receiptCreationDate": Sample.milliseconds,
      ]))
    try expect(.certificateExpired(0), of: token, by: verifier(at: Self.notAfter, plus: 1))
  }

  @Test("the time of signing of an app transaction is its receiptCreationDate")
  func appTransaction() throws {
    let late = Self.notAfter.addingTimeInterval(1_000)
    let verifier = try authority.verifier(now: late)
    let token = try authority.sign(Sample.appTransaction())
    #expect(try verifier.appTransaction(token).signedDate == Sample.now)
    let other = try authority.sign(
      Sample.appTransaction([
        "receiptCreationDate": nil, "signedDate": Sample.milliseconds,
      ]))
    #expect(throws: SignedDataFailure.certificateExpired(0)) { try verifier.appTransaction(other) }
  }

  // MARK: By now

  @Test(
    "by the clock policy now the field is not read",
    arguments: [
      Sample.milliseconds, .integer(0), .integer(4_102_444_800_000), .number(1e300), .null,
    ] as [JSONValue])
  func nowPolicy(signedDate: JSONValue) throws {
    let token = try token(signedDate: signedDate)
    let verifier = try authority.verifier(clockPolicy: .now)
    #expect(try verifier.transaction(token).token == token)
    let late = try authority.verifier(clockPolicy: .now, now: Self.notAfter.addingTimeInterval(1))
    try expect(.certificateExpired(0), of: token, by: late)
    let early = try authority.verifier(
      clockPolicy: .now, now: Self.notBefore.addingTimeInterval(-1))
    try expect(.certificateNotYetValid(0), of: token, by: early)
  }

  // MARK: The other certificates

  @Test("intermediate and root have to be valid too", arguments: 0..<3)
  func everyCertificate(index: Int) throws {
    let certificates = [\TestAuthority.Shape.leaf, \.intermediate, \.root]
    let expired = try TestAuthority {
      $0[keyPath: certificates[index]].notAfter = Sample.now.addingTimeInterval(-1)
    }
    let young = try TestAuthority {
      $0[keyPath: certificates[index]].notBefore = Sample.now.addingTimeInterval(1)
    }
    for make in [TestAuthority.verifierByCertificate, TestAuthority.verifierByFingerprint] {
      try expect(
        .certificateExpired(index), of: expired.sign(Sample.transaction()), by: make(expired))
      try expect(
        .certificateNotYetValid(index), of: young.sign(Sample.transaction()), by: make(young))
    }
  }

  @Test("of two anchors with one name and key, the one valid at the time of signing serves")
  func renewedRoot() throws {
    let authority = try TestAuthority {
      $0.root.notAfter = Sample.now.addingTimeInterval(-1)
    }
    var renewal = authority.shape.root
    renewal.notBefore = Sample.now
    renewal.notAfter = Sample.now.addingTimeInterval(1_000_000)
    let renewed = try renewal.builder(serialNumber: 2)
      .certificate(for: authority.rootKey, issuedBy: nil, signedWith: authority.rootKey)
    let old = try authority.trustAnchor
    let new = try TrustAnchor(certificate: renewed.der)
    let before = try authority.sign(
      Sample.transaction(["signedDate": .integer(1_761_000_000_000)]))
    let after = try authority.sign(Sample.transaction())
    for anchors in [[old, new], [new, old]] {
      let verifier = try authority.verifier(anchors: anchors)
      for token in [before, after, before, after] {
        #expect(try verifier.transaction(token).token == token)
      }
    }
  }

  private func verifier(at date: Date, plus seconds: TimeInterval) throws -> SignedDataVerifier {
    try authority.verifier(now: date.addingTimeInterval(seconds))
  }

  private func expect(
    _ reason: SignedDataFailure?, of token: String, by verifier: SignedDataVerifier,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard let reason else {
      #expect(try verifier.transaction(token).token == token, sourceLocation: sourceLocation)
      return
    }
    #expect(throws: reason, sourceLocation: sourceLocation) { try verifier.transaction(token) }
  }
}

extension TestAuthority {
  fileprivate static func verifierByCertificate(
    _ authority: TestAuthority
  ) throws -> SignedDataVerifier { try authority.verifier() }

  fileprivate static func verifierByFingerprint(
    _ authority: TestAuthority
  ) throws -> SignedDataVerifier { try authority.pinningVerifier() }
}
