/// How often and when a question is repeated that may be answered better the next time.
///
/// The pauses grow by a factor of two, each shortened at random so that many who failed at the same
/// moment do not return at the same moment.
public struct RetryPolicy: Hashable, Sendable {
  /// How many times one server is asked at most; 3 by default.
  public var attempts = 3
  /// The pause after the first attempt; half a second by default.
  public var firstPause = Duration.milliseconds(500)
  /// No pause is longer; 8 seconds by default.
  public var longestPause = Duration.seconds(8)
  /// By which part a pause may be shortened at random, from 0 (never) to 1; 0.5 by default.
  ///
  /// What is no number counts as 0.
  public var jitter = 0.5

  /// The defaults.
  public init() {}

  /// The pause after a number of attempts, at least one.
  ///
  /// - Parameters:
  ///   - attempts: How many attempts there were.
  ///   - chance: A random number from 0 up to 1.
  /// - Returns: From the shortened to the full pause.
  public func pause(after attempts: Int, chance: Double) -> Duration {
    // Beyond 32 doublings every sensible pause is at its longest; the factor must not overflow.
    let factor = 1 << (min(max(attempts, 1), 33) - 1)
    let full = firstPause > longestPause / factor ? longestPause : firstPause * factor
    return max(full, .zero) * (1 - Self.part(jitter) * Self.part(chance))
  }

  private static func part(_ number: Double) -> Double {
    number.isNaN ? 0 : min(max(number, 0), 1)
  }
}
