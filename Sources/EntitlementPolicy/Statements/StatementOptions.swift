public import ReceiptModels

/// The settings of statements about entitlements.
///
/// Source: entitlement rules, section 10.1.
public struct StatementOptions: Hashable, Sendable {
  /// The time for which a statement counts; shorter where something that it lists ends before.
  ///
  /// A refund reaches a device without a network when this time is over, and not before.
  public let life: Duration
  /// The time after which a device with a network asks again; not after the end of the statement.
  public let refresh: Duration

  /// The possible lives of a statement: a minute to 60 days.
  public static let lifeBounds = Duration.seconds(60) ... .days(60)

  /// A day, and six hours.
  public static let standard = StatementOptions(checkedLife: .days(1), refresh: .seconds(21_600))

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - life: A minute to 60 days; a day by default.
  ///   - refresh: A second to the life; by default a quarter of the life.
  /// - Throws: ``StatementOptionsFailure``.
  public init(
    life: Duration = .days(1), refresh: Duration? = nil
  ) throws(StatementOptionsFailure) {
    guard Self.lifeBounds.contains(life) else { throw .lifeOutOfRange }
    let refresh = refresh ?? life / 4
    guard refresh >= .seconds(1), refresh <= life else { throw .refreshOutOfRange }
    self.init(checkedLife: life, refresh: refresh)
  }

  private init(checkedLife life: Duration, refresh: Duration) {
    self.life = life
    self.refresh = refresh
  }
}

/// A reason why settings of statements are refused.
@nonexhaustive
public enum StatementOptionsFailure: Error, Hashable, Sendable {
  /// The life is not a minute to 60 days.
  case lifeOutOfRange
  /// The time until the next question is not a second to the life.
  case refreshOutOfRange
}
