import JWSVerifier
import ReceiptModels
import StorekeeperTesting

/// Fuzzes tokens of every kind: no crash, and no token is accepted, because the keys do not exist.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTokens(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let token = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  for verifier in [Verifiers.fingerprint, Verifiers.certificate] {
    let results = [
      isAccepted { () throws(SignedDataFailure) in _ = try verifier.transaction(token) },
      isAccepted { () throws(SignedDataFailure) in _ = try verifier.renewalInfo(token) },
      isAccepted { () throws(SignedDataFailure) in _ = try verifier.notification(token) },
      isAccepted { () throws(SignedDataFailure) in _ = try verifier.appTransaction(token) },
      isAccepted { () throws(SignedDataFailure) in _ = try verifier.realtimeRequest(token) },
    ]
    precondition(!results.contains(true), "a token was accepted that nobody signed")
  }
  for reader in Verifiers.readers {
    _ = isAccepted { () throws(SignedDataFailure) in _ = try reader.transaction(token) }
    _ = isAccepted { () throws(SignedDataFailure) in _ = try reader.notification(token) }
  }
  return 0
}

/// Returns whether the work succeeds; a refusal must have a description.
private func isAccepted(_ work: () throws(SignedDataFailure) -> Void) -> Bool {
  do throws(SignedDataFailure) {
    try work()
    return true
  } catch {
    precondition(!error.name.isEmpty && !error.description.isEmpty)
    return false
  }
}

/// Verifiers that trust an authority whose keys were discarded.
private enum Verifiers {
  static let authority: TestAuthority = {
    do { return try TestAuthority() } catch { fatalError("no authority: \(error)") }
  }()
  static let fingerprint = verifier { try authority.fingerprintAnchor }
  static let certificate = verifier { try authority.trustAnchor }
  static let readers = [LocalEnvironment.xcode, .localTesting].map {
    LocalTestDataReader(environment: $0, bundleIDs: ["com.example"])
  }

  private static func verifier(_ anchor: () throws -> TrustAnchor) -> SignedDataVerifier {
    do {
      return try SignedDataVerifier(
        apps: [App(bundleID: "com.example", appAppleID: 1234)], environments: .auto,
        trustAnchors: [anchor()])
    } catch {
      fatalError("no verifier: \(error)")
    }
  }
}
