import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// When the process ends although something does not.
enum Deadline {
  /// The status of a process that could not end what it had begun.
  static let status = EX_SOFTWARE

  /// Ends the process after so many seconds; by a thread of its own, as others may be stuck.
  static func set(after seconds: Int) {
    DispatchQueue(label: "storekeeper-server.deadline").asyncAfter(
      deadline: .now() + .seconds(seconds)
    ) {
      ServerLog.note("not stopped in time")
      Output.abandon(status)
    }
  }
}
