import Foundation
import HTTPMessages
import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("The online check after verification")
struct OnlineCheckTests {
  let authority: TestAuthority
  let responder: TestRevocationResponder
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority {
      $0.leaf.revocationResponder = "http://ocsp.example/leaf"
      $0.intermediate.revocationResponder = "http://ocsp.example/intermediate"
    }
    responder = try authority.revocationResponder(now: { Date() })
    verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
      trustAnchors: [authority.trustAnchor],
      revocationChecker: RevocationChecker(
        transport: responder, clock: ManualClock(), now: { Date() }))
  }

  private var transaction: Transaction {
    var transaction = Transaction()
    transaction.bundleID = "com.example.reader"
    transaction.environment = .sandbox
    return transaction
  }

  @Test("verification alone sends no request")
  func synchronousStep() throws {
    let verified = try verifier.transaction(authority.sign(transaction))
    #expect(verified.revocation == .notRequested)
    #expect(responder.requests.isEmpty)
  }

  @Test("good certificates pass, with one question each for any number of tokens")
  func good() async throws {
    for _ in 0..<3 {
      let verified = try verifier.transaction(authority.sign(transaction))
      #expect(try await verifier.checkingRevocation(of: verified).revocation == .good)
    }
    #expect(responder.queryCount(about: .leaf) == 1)
    #expect(responder.queryCount(about: .intermediate) == 1)
  }

  @Test("a revoked leaf refuses data with a valid signature")
  func revoked() async throws {
    responder.setReply(.revoked, about: .leaf)
    let verified = try verifier.transaction(authority.sign(transaction))
    await #expect(throws: SignedDataFailure.certificateRevoked(0)) {
      try await verifier.checkingRevocation(of: verified)
    }
  }

  @Test("signed data inside a notification is asked about too")
  func nested() async throws {
    let inner = try authority.withNewLeaf {
      $0.leaf.revocationResponder = "http://ocsp.example/leaf"
    }
    let innerResponder = try inner.revocationResponder(now: { Date() })
    innerResponder.setReply(.revoked, about: .leaf)
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
      trustAnchors: [authority.trustAnchor],
      revocationChecker: RevocationChecker(
        transport: FirstKnowing(responders: [responder, innerResponder]), clock: ManualClock(),
        now: { Date() }))
    var data = NotificationData()
    data.bundleID = "com.example.reader"
    data.environment = .sandbox
    data.signedTransactionInfo = try inner.sign(transaction)
    var notification = ServerNotification()
    notification.data = data
    let verified = try verifier.notification(authority.sign(notification))
    await #expect(throws: SignedDataFailure.certificateRevoked(0)) {
      try await verifier.checkingRevocation(of: verified)
    }
  }

  @Test("a verifier without a checker sends no request")
  func unconfigured() async throws {
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
      trustAnchors: [authority.trustAnchor])
    let verified = try verifier.transaction(authority.sign(transaction))
    #expect(try await verifier.checkingRevocation(of: verified).revocation == .notRequested)
    #expect(responder.requests.isEmpty)
  }
}

/// A transport that asks several responders until one knows the certificate.
private struct FirstKnowing: HTTPTransport {
  let responders: [TestRevocationResponder]

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    for responder in responders.dropLast() {
      let known = responder.queryCount(about: .leaf) + responder.queryCount(about: .intermediate)
      let response = try await responder.send(request)
      let after = responder.queryCount(about: .leaf) + responder.queryCount(about: .intermediate)
      if after > known { return response }
    }
    guard let last = responders.last else { throw HTTPTransportFailure(.notConnected) }
    return try await last.send(request)
  }
}
