#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SignedDataVerifier {
  /// The end of the root that expires first, of those that are known; nil if none is.
  ///
  /// A root that is trusted by its fingerprint is known once signed data has presented it.
  public var earliestRootEnd: Date? { Self.earliest(chainVerifier.authorityEnds.roots) }

  /// The end of the intermediate that expires first, of those that signed data has presented since the start; nil if
  /// there are none.
  public var earliestIntermediateEnd: Date? {
    Self.earliest(chainVerifier.authorityEnds.intermediates)
  }

  private static func earliest(_ ends: [Int]) -> Date? {
    ends.min().map { Date(timeIntervalSince1970: Double($0)) }
  }
}
