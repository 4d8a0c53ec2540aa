#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SignedDataVerifier {
  /// The end of the root that expires first, of those that are known and have not expired; nil if there is none.
  ///
  /// A root that is trusted by its fingerprint is known once signed data has presented it.
  public var earliestRootEnd: Date? { earliest(chainVerifier.authorityEnds.roots) }

  /// The end of the intermediate that expires first, of those that signed data has presented since the start and that
  /// have not expired; nil if there are none.
  public var earliestIntermediateEnd: Date? {
    earliest(chainVerifier.authorityEnds.intermediates)
  }

  private func earliest(_ ends: [Int]) -> Date? {
    let moment = now()
    return ends.map { Date(timeIntervalSince1970: Double($0)) }.filter { $0 > moment }.min()
  }
}
