/// What became of a row.
public enum ImportOutcome: Hashable, Sendable {
  /// The account has the purchase now.
  case accepted
  /// The account had the purchase already; what the store told of it was recorded.
  case unchanged
  case refused(ImportRefusal)
  /// The store answered about other rows, and not about this one for as long as the patience lasts; another run asks
  /// again.
  case postponed
}

/// A row of a file, and what became of it.
public struct ImportResult: Hashable, Sendable {
  /// The number of the row, from 1.
  public let number: Int
  /// The line of the file on which the row begins, from 1.
  public let line: Int
  /// The account that the row names first; nil for a row that cannot be read.
  public let account: String?
  /// The kind of evidence, never the evidence; nil for a row that cannot be read.
  public let evidence: String?
  public let outcome: ImportOutcome
}

/// How far a run of an import is, or what it came to.
///
/// Numbers are those of this run alone, also where it went on from another.
public struct ImportReport: Hashable, Sendable {
  /// The number of rows that earlier runs were done with.
  public internal(set) var earlier = 0
  /// The number of rows whose purchases accounts have now, and had not before.
  public internal(set) var accepted = 0
  /// The number of rows whose purchases their accounts had already.
  public internal(set) var unchanged = 0
  /// The number of rows that were refused, by the name of the reason; see ``ImportRefusal/name``.
  public internal(set) var refusals: [String: Int] = [:]
  /// The number of rows about which the store could not be asked.
  public internal(set) var postponed = 0
  /// The number of all rows; nil if it is not known.
  public internal(set) var rowCount: Int?
  /// The time since the start of the run.
  public internal(set) var elapsed = Duration.zero
  /// Whether all rows were visited.
  public internal(set) var isComplete = false
  /// Whether another process has the lease, or was killed while it had it, so that this one did nothing or stopped.
  public internal(set) var isLeasedElsewhere = false

  init(rowCount: Int?) { self.rowCount = rowCount }

  public var refused: Int { refusals.values.reduce(0, +) }

  /// The number of rows that this run and earlier ones are done with.
  public var done: Int { earlier + visited }

  /// The number of rows a second in this run; 0 before the first.
  public var rowsPerSecond: Double {
    let seconds = elapsed.timeInterval
    return seconds > 0 ? Double(visited) / seconds : 0
  }

  /// The time that the rest takes at the speed so far; nil if the number of rows is not known, or none is done yet.
  public var timeLeft: Duration? {
    guard let rowCount, rowsPerSecond > 0 else { return nil }
    return .seconds(Double(max(0, rowCount - done)) / rowsPerSecond)
  }

  private var visited: Int { accepted + unchanged + refused + postponed }

  mutating func note(_ outcome: ImportOutcome) {
    switch outcome {
    case .accepted: accepted += 1
    case .unchanged: unchanged += 1
    case .refused(let refusal): refusals[refusal.name, default: 0] += 1
    case .postponed: postponed += 1
    }
  }
}
