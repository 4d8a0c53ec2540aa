import Dispatch
import Foundation
import HTTPMessages
import JWSVerifier
import ReceiptModels
import StorekeeperTesting

/// Fuzzes OCSP answers: no crash, and no answer is accepted, because none is signed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAnswers(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let body = Array(UnsafeBufferPointer(start: start, count: count))
  let done = DispatchSemaphore(value: 0)
  Task {
    let isFinal = await Scene.isFinal(body)
    precondition(!isFinal, "an answer counted that nobody signed")
    done.signal()
  }
  done.wait()
  return 0
}

/// A verified transaction whose certificates name a responder.
private enum Scene {
  static func isFinal(_ body: [UInt8]) async -> Bool {
    do throws(SignedDataFailure) {
      _ = try await checkedVerifier(answering: body).checkingRevocation(of: transaction)
      return true
    } catch {
      return !error.isRetryable
    }
  }

  private static let authority: TestAuthority = {
    do {
      return try TestAuthority {
        $0.leaf.revocationResponder = "http://ocsp.example/leaf"
        $0.intermediate.revocationResponder = "http://ocsp.example/intermediate"
      }
    } catch {
      fatalError("no authority: \(error)")
    }
  }()

  private static let transaction: Verified<Transaction> = {
    var transaction = Transaction()
    transaction.bundleID = "com.example"
    transaction.environment = .sandbox
    do {
      return try verifier(nil).transaction(authority.sign(transaction))
    } catch {
      fatalError("nothing verified: \(error)")
    }
  }()

  private static func checkedVerifier(answering body: [UInt8]) -> SignedDataVerifier {
    verifier(RevocationChecker(transport: CannedTransport(body: body)))
  }

  private static func verifier(_ checker: RevocationChecker?) -> SignedDataVerifier {
    do {
      return try SignedDataVerifier(
        apps: [App(bundleID: "com.example")], environments: [.sandbox],
        trustAnchors: [authority.fingerprintAnchor], revocationChecker: checker)
    } catch {
      fatalError("no verifier: \(error)")
    }
  }
}

/// A transport that answers every request with the same body.
private struct CannedTransport: HTTPTransport {
  let body: [UInt8]

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    HTTPResponseMessage(status: .ok, body: body)
  }
}
