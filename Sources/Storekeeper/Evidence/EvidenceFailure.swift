public import GooglePlayVerifier
public import JWSVerifier
public import ReceiptVerifier

/// The reason why evidence of purchases was not verified, or has no facts.
@nonexhaustive
public enum EvidenceFailure: Error, Hashable, Sendable {
  /// There is nobody to ask about evidence of this kind.
  case notSupported
  /// A signed transaction, or its renewal info, was refused, or the status of its certificates is unknown.
  case signedData(SignedDataFailure, of: NestedToken = .transaction)
  /// A receipt was refused without asking Apple.
  case receipt(ReceiptFailure)
  /// A receipt was refused, or Apple could not be asked about it.
  case verifyReceipt(VerifyReceiptFailure)
  /// A purchase token was refused, or Google could not be asked about it.
  case googlePlay(GooglePlayFailure)
  case wrongApp
  /// The evidence was verified, but has no facts that can be recorded.
  case facts(FactsFailure)
}
