/// One operation whose allocations and instructions are counted.
struct CountedOperation {
  /// The name in the file of counts, which never changes.
  let name: String
  /// The number of calls that are counted together.
  let calls: Int
  /// Makes what the calls need, which is not counted.
  let prepare: () async throws -> Work

  /// The work of a call; `number` is another one each time.
  enum Work {
    case synchronous((_ number: Int) throws -> Void)
    /// Work that changes threads, whose instructions valgrind cannot count.
    case asynchronous((_ number: Int) async throws -> Void)
  }

  init(_ name: String, calls: Int = 20, prepare: @escaping () async throws -> Work) {
    self.name = name
    self.calls = calls
    self.prepare = prepare
  }

  struct UnexpectedResult: Error {}
}

/// Ends an operation whose result is not the expected one, which would have another cost.
func insist(_ holds: Bool) throws {
  guard holds else { throw CountedOperation.UnexpectedResult() }
}
