/// An exponential back-off with jitter.
///
/// Each pause is twice as long as the one before, up to a limit, and is scaled at random so that
/// clients that failed together do not return together.
package struct BackOff: Hashable, Sendable {
  /// The pause after the first failure, before jitter.
  package var first: Duration
  /// The longest pause, before jitter.
  package var longest: Duration
  /// The factors by which a pause is scaled.
  package var jitter: ClosedRange<Double>

  /// Creates a back-off without jitter unless told otherwise.
  package init(first: Duration, longest: Duration, jitter: ClosedRange<Double> = 1...1) {
    self.first = first
    self.longest = longest
    self.jitter = jitter
  }

  /// Returns the pause after a number of failures in a row, at least one.
  ///
  /// `chance` is a random number from 0, for the largest factor, to 1, for the smallest. Anything
  /// outside that range counts as its nearest bound, and NaN as 0.
  package func pause(after failures: Int, chance: Double) -> Duration {
    // Every sensible pause reaches its limit within 32 doublings; the factor must not overflow.
    let doubled = 1 << (min(max(failures, 1), 33) - 1)
    let full = first > longest / doubled ? longest : first * doubled
    let chance = chance.isNaN ? 0 : min(max(chance, 0), 1)
    return max(full, .zero)
      * (jitter.upperBound - (jitter.upperBound - jitter.lowerBound) * chance)
  }
}
