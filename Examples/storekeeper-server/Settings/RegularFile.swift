import StorekeeperToolSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file of the settings whose size is not trusted.
enum RegularFile {
  /// Returns the contents, or a little more than `limit` bytes of a larger file; nil if it cannot be
  /// read.
  ///
  /// Anything but a regular file, such as a pipe, counts as unreadable, because reading it may wait
  /// without end.
  static func contents(_ path: String, limit: Int) -> [UInt8]? {
    // Attributes are those of a link itself.
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return try? InputFile(path).contents(limit: limit)
  }
}
