public import JWSVerifier

/// A signed element of a list that the verifier refused.
///
/// It grants nothing. The other elements of the list are not affected.
public struct RefusedElement: Error, Hashable, Sendable {
  /// The position of the element in the list, from 0.
  public let index: Int
  /// The reason.
  public let failure: SignedDataFailure
}
