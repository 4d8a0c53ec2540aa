import Foundation
import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting

/// Any bytes as a certificate: as trust anchor, and at each place of a chain that is right otherwise.
///
/// Never a crash; accepted only where the bytes are the right ones.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCertificates(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let anchor = try? TrustAnchor(certificate: bytes)
  for place in 0..<3 {
    var certificates = Chain.certificates
    let isRight = bytes == certificates[place]
    certificates[place] = bytes
    let token = Chain.token(certificates)
    for anchors in [Chain.anchors, anchor.map { [$0] }].compactMap(\.self) {
      guard
        let verifier = try? SignedDataVerifier(
          apps: [App(bundleID: "com.example")], environments: [.sandbox], trustAnchors: anchors)
      else { continue }
      let accepted = (try? verifier.transaction(token)) != nil
      // The signature covers the header, so another certificate makes the token another one.
      precondition(!accepted || isRight, "a chain was accepted with a foreign certificate")
    }
  }
  return 0
}

/// A right chain and a token over it whose signature stays as it was.
private enum Chain {
  static let authority: TestAuthority = {
    do { return try TestAuthority() } catch { fatalError("no authority: \(error)") }
  }()
  static let certificates = [.leaf, .intermediate, .root].map(authority.certificate)
  // Made anew each time: kept for ever, it would count as a leak, as the leak detector does not see
  // through the tag bits of an enum that holds references.
  static var anchors: [TrustAnchor] {
    do {
      return [try authority.fingerprintAnchor, try authority.trustAnchor]
    } catch {
      fatalError("no anchors: \(error)")
    }
  }
  static let parts: [Substring] = {
    var transaction = Transaction()
    transaction.bundleID = "com.example"
    transaction.environment = .sandbox
    do {
      return try authority.sign(transaction).split(separator: ".")
    } catch {
      fatalError("nothing signed: \(error)")
    }
  }()

  static func token(_ certificates: [[UInt8]]) -> String {
    let texts = certificates.map { JSONValue.string(Data($0).base64EncodedString()) }
    let header = JSONValue.object(["alg": .string("ES256"), "x5c": .array(texts)]).serialized
    let encoded = Data(header).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
    return "\(encoded).\(parts[1]).\(parts[2])"
  }
}
