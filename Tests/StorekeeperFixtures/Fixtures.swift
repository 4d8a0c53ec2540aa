public import Foundation

/// The folder of receipts, tokens and certificates that tests read and the project never contains.
public enum Fixtures {
  /// The folder that the environment names, or nil.
  public static let folder: URL? = ProcessInfo.processInfo
    .environment["STOREKEEPER_FIXTURES"]
    .map { URL(fileURLWithPath: $0, isDirectory: true) }

  /// Whether tests on fixtures can run.
  public static var areAvailable: Bool { folder != nil }

  /// What is said of a test that was left out.
  public static let absence: String =
    "left out: STOREKEEPER_FIXTURES does not name the folder of fixtures"

  /// The bytes of a file, by its path inside the folder.
  public static func data(_ path: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: folder.appendingPathComponent(path))
  }

  /// The text of a file.
  public static func text(_ path: String) throws -> String {
    String(decoding: try data(path), as: UTF8.self)
  }

  /// The paths of all files in one folder with an extension, sorted.
  public static func paths(in directory: String, withExtension ending: String) -> [String] {
    guard let folder else { return [] }
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent(directory).path)
    return (files ?? []).filter { $0.hasSuffix("." + ending) }.sorted()
      .map { directory + "/" + $0 }
  }
}
