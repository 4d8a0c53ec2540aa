import StorekeeperToolSupport

/// The contents of files that arguments name.
enum Contents {
  /// The maximum number of bytes that are read.
  private static let limit = 1 << 22

  /// Reads a file; `-` is standard input.
  static func ofFile(_ path: String) throws(UsageFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(InputFile.Failure) {
      bytes = try InputFile(path).contents(limit: limit)
    } catch {
      throw UsageFailure("\(path): \(error.description)")
    }
    guard bytes.count < limit else { throw UsageFailure("\(path): the file is too large") }
    return bytes
  }
}
