import Foundation
import StorekeeperTesting

@testable import StorekeeperCrypto

/// Fuzzes certificates with our parser and OpenSSL's X509 functions: unchanged, as the issuer of a
/// certificate that was signed with its key, and signed again as a certificate of a fixed issuer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCertificateReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let difference: String?
  // The bytes themselves choose, so that each input is deterministic.
  switch bytes.reduce(UInt8(0), &+) % 4 {
  case 0: difference = CertificateComparison.difference(reading: bytes)
  case 1:
    difference = CertificateComparison.difference(
      issuing: Issuers.subject(namedBy: bytes), by: bytes, level: count % 3)
  default:
    guard let signed = Issuers.signedAnew(bytes, strong: count % 16 == 0) else { return 0 }
    difference = CertificateComparison.difference(
      issuing: CertificateComparison.Reading(signed),
      by: count % 16 == 0 ? Issuers.strong.reading : Issuers.quick.reading, level: count % 3)
  }
  if let difference { fatalError(difference) }
  return 0
}

/// Mutates values, mostly with corrected lengths around them.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateCertificate(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: UInt32
) -> Int {
  var random = Random(state: UInt64(seed))
  guard random.next(below: 8) != 0,
    var tree = Tree(Array(UnsafeBufferPointer(start: start, count: count)), depth: 0)
  else { return mutate(start, count, limit) }
  for _ in 0...random.next(below: 2) { tree.mutate(&random) }
  let bytes = tree.bytes
  guard bytes.count <= limit else { return mutate(start, count, limit) }
  for (index, byte) in bytes.enumerated() { start[index] = byte }
  return bytes.count
}

/// LibFuzzer's own mutations, which ignore the structure.
@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int
