#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The content of a receipt file.
struct FileContent {
  var text: String
  var stamp: Date

  /// Reads a file; nil if it is missing, or empty as after a crash of the machine.
  init?(path: String) throws(FileReceiptStore.Failure) {
    guard let file = try OpenFile(reading: path) else { return nil }
    let status = try file.status()
    guard status.size <= FileReceiptStore.maximumLength else { throw .notAReceipt }
    guard let text = String(validating: try file.read(count: status.size), as: UTF8.self) else {
      throw .notAReceipt
    }
    guard text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    self.init(text: text, stamp: status.stamp)
  }

  init(text: String, stamp: Date) {
    self.text = text
    self.stamp = stamp
  }

  /// Returns the stamp of a file, or nil if it is missing.
  static func stamp(ofPath path: String) throws(FileReceiptStore.Failure) -> Date? {
    try OpenFile(reading: path)?.status().stamp
  }

  /// Writes a temporary file, syncs it, and renames it.
  func write(to path: String) throws(FileReceiptStore.Failure) {
    let draft = path + ".new"
    do throws(FileReceiptStore.Failure) {
      let file = try OpenFile(creating: draft)
      try file.write(Array(text.utf8))
      try file.setStamp(stamp)
      try file.makeDurable()
    } catch {
      try? Self.remove(draft)
      throw error
    }
    // The new name need not survive a crash of the machine: this is a cache.
    guard unsafe rename(draft, path) == 0 else { throw .system(code: errno) }
  }

  /// Removes a file; a missing one is no failure.
  static func remove(_ path: String) throws(FileReceiptStore.Failure) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system(code: errno) }
  }
}
