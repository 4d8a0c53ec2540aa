/// Rows that a store has examined for an audit, in ascending order of their numbers.
///
/// Source: credit rules, section 5.
public struct ExaminedRows<Row: Hashable & Sendable>: Hashable, Sendable {
  /// The number of rows.
  public var count: Int
  /// The number of the last row; nil if there are no rows.
  public var last: Int?
  /// Those of which the store does not know that they are as they have to be.
  public var doubtful: [Row]

  /// Creates rows that were examined.
  public init(count: Int, last: Int?, doubtful: [Row]) {
    self.count = count
    self.last = last
    self.doubtful = doubtful
  }
}
