import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The time limit for stopping.
enum Deadline {
  /// The exit status of a process that did not stop in time.
  static let status = EX_SOFTWARE

  /// Ends the process after a number of seconds, on a queue of its own, as others may be blocked.
  static func set(after seconds: Int) {
    DispatchQueue(label: "storekeeper-server.deadline").asyncAfter(
      deadline: .now() + .seconds(seconds)
    ) {
      ServerLog.note("not stopped in time")
      Output.abandon(status)
    }
  }
}
