/// The time at which certificates have to be valid.
///
/// Source: contract on signed data, section 1.3.
@nonexhaustive
public enum ClockPolicy: Hashable, Sendable {
  /// The time at which Apple says that it signed, or now when the data does not say.
  ///
  /// Genuine data stays valid after the certificate that signed it has ended. The time is
  /// part of what is verified, so whoever held an ended, leaked key could choose it: where
  /// that matters, compare ``Verified/signedDate`` with a maximum age, take ``now``, or check
  /// online.
  case signedDate
  /// The time of the verification.
  case now
}
