internal import StorekeeperLocks

/// The number of attempts at a request, and the pauses between them.
///
/// Each pause is twice as long as the one before, and is shortened at random so that clients that
/// failed together do not return together.
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of requests to one server; 3 by default.
  public var attempts = 3
  /// The pause after the first attempt; half a second by default.
  public var firstPause = Duration.milliseconds(500)
  /// The longest pause; 8 seconds by default.
  public var longestPause = Duration.seconds(8)
  /// The fraction by which a pause may be shortened at random, from 0 (never) to 1; 0.5 by default.
  ///
  /// NaN counts as 0.
  public var jitter = 0.5

  /// Creates the default policy.
  public init() {}

  /// Returns the pause after a number of attempts, at least one.
  ///
  /// `chance` is a random number from 0, for the full pause, up to 1.
  public func pause(after attempts: Int, chance: Double) -> Duration {
    let jitter = jitter.isNaN ? 0 : min(max(jitter, 0), 1)
    return BackOff(first: firstPause, longest: longestPause, jitter: (1 - jitter)...1)
      .pause(after: attempts, chance: chance)
  }
}
