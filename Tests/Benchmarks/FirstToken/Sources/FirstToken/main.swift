import JWSVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Verifies one transaction of com.example.reader under the root in a file, and ends: FirstToken TOKEN ROOT
struct Usage: Error {}

let arguments = CommandLine.arguments
guard arguments.count == 3, let root = FileManager.default.contents(atPath: arguments[2]) else {
  throw Usage()
}
let verifier = try SignedDataVerifier(
  apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
  trustAnchors: [TrustAnchor(certificate: Array(root))])
_ = try verifier.transaction(arguments[1])
