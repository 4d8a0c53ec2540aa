import Foundation

/// Files that Apple signed, in the folder that STOREKEEPER_FIXTURES names.
enum Fixtures {
  /// The bytes of a file, or nil when it is not there.
  static func bytes(_ path: String) -> [UInt8]? {
    ProcessInfo.processInfo.environment["STOREKEEPER_FIXTURES"]
      .flatMap { FileManager.default.contents(atPath: "\($0)/\(path)") }
      .map { Array($0) }
  }
}
