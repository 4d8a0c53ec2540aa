/// The requests of worker processes: each when it began, and again when it was answered.
struct Ledger {
  /// The requests of one lane, one after the other.
  struct Lane {
    var answered: [Operation] = []
    /// A request that began and is not known to have ended: it happened as a whole, or not at all.
    var open: Operation?
  }

  private(set) var lanes: [String: Lane] = [:]
  /// The violations of the rules that the worker saw.
  private(set) var complaints: [String] = []

  var answered: Int { lanes.values.reduce(0) { $0 + $1.answered.count } }
  var open: Int { lanes.values.count { $0.open != nil } }

  /// Reads the lines of a worker; a truncated last line is ignored.
  mutating func read(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      read(line: line)
    }
  }

  /// Reads `begin LANE REQUEST`, `done LANE` or `wrong LANE …`.
  private mutating func read(line: Substring) {
    let words = line.split(separator: " ")
    guard words.count >= 2 else { return }
    let lane = String(words[1])
    switch words[0] {
    case "begin":
      guard let operation = Operation(Array(words.dropFirst(2))) else {
        complaints.append("unreadable: \(line)")
        return
      }
      lanes[lane, default: Lane()].open = operation
    case "done":
      guard let operation = lanes[lane]?.open else { return }
      lanes[lane]?.answered.append(operation)
      lanes[lane]?.open = nil
    default: complaints.append(String(line))
    }
  }
}

extension Ledger.Lane {
  /// Returns the states that the lane may be in.
  func states(lane: String) -> [LaneState] {
    var state = LaneState(lane: lane)
    for operation in answered { state.apply(operation) }
    guard let open else { return [state] }
    var other = state
    other.apply(open)
    return [state, other]
  }

  /// All subscriptions of the lane's requests.
  var ids: [String] { Set((answered + [open].compactMap { $0 }).map(\.id)).sorted() }
}
