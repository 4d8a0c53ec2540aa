import Foundation
import StorekeeperTesting

/// Writes test roots, and valid and invalid tokens and receipts under them, into a folder.
///
///     make-test-data FOLDER
@main
enum MakeTestData {
  private static let usage = """
    usage: make-test-data FOLDER

    Writes test roots, and tokens and receipts that verify under them, or do not, into a folder,
    which is made if there is none.
    """

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      print(usage)
      return
    }
    guard arguments.count == 1, let path = arguments.first, !path.hasPrefix("-"), !path.isEmpty
    else {
      FileHandle.standardError.write(
        Data("make-test-data: one folder is to be named; --help says more\n".utf8))
      exit(2)
    }
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tokens = try TestAuthority()
    try write(root: tokens, to: "root.der", in: folder)
    try write(SampleTokens(authority: tokens).files, in: folder)
    let receipts = try TestAuthority.forReceipts()
    try write(root: receipts, to: "receipt-root.der", in: folder)
    try write(SampleReceipts(authority: receipts).files, in: folder)
  }

  private static func write(root authority: TestAuthority, to name: String, in folder: URL) throws {
    try Data(authority.certificate(.root)).write(to: folder.appendingPathComponent(name))
    print("\(name): the authority's root certificate")
  }

  private static func write(_ files: [(name: String, lines: [String])], in folder: URL) throws {
    for (name, lines) in files {
      let text = lines.map { $0 + "\n" }.joined()
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
      print("\(name): \(lines.count == 1 ? "one" : "\(lines.count)")")
    }
  }
}
