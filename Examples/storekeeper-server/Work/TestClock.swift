import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A clock that runs ahead of the machine's by the seconds in a file, for tests in which days pass.
struct TestClock: Sendable {
  private let path: String

  /// Creates a clock; nil unless the file has a number of seconds.
  init?(path: String) {
    guard Self.lead(path) != nil else { return nil }
    self.path = path
  }

  /// The time by this clock; that of the machine while the file can't be read.
  var now: Date { Date() + (Self.lead(path) ?? 0) }

  private static func lead(_ path: String) -> TimeInterval? {
    guard let bytes = RegularFile.contents(path, limit: 16),
      let seconds = Int(String(decoding: bytes, as: UTF8.self).trimmed),
      (0...100_000_000).contains(seconds)
    else { return nil }
    return TimeInterval(seconds)
  }
}
