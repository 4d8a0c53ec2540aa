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

/// A receipt as it lies in a file.
struct FileContent {
  var text: String
  var stamp: Date

  /// Nil if there is no such file.
  init?(path: String) throws(FileReceiptStore.Failure) {
    guard let file = try OpenFile(reading: path) else { return nil }
    let status = try file.status()
    guard status.size <= FileReceiptStore.maximumLength else { throw .notAReceipt }
    guard let text = String(validating: try file.read(count: status.size), as: UTF8.self) else {
      throw .notAReceipt
    }
    self.init(text: text, stamp: status.stamp)
  }

  init(text: String, stamp: Date) {
    self.text = text
    self.stamp = stamp
  }

  /// The stamp of a file, or nil if there is none.
  static func stamp(ofPath path: String) throws(FileReceiptStore.Failure) -> Date? {
    try OpenFile(reading: path)?.status().stamp
  }

  /// Under another name, then renamed; both made durable.
  func write(to path: String, in directory: String) throws(FileReceiptStore.Failure) {
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
    guard unsafe rename(draft, path) == 0 else { throw .system(code: errno) }
    guard let folder = try OpenFile(reading: directory) else { return }
    try folder.makeDurable()
  }

  /// It is no failure that there is none.
  static func remove(_ path: String) throws(FileReceiptStore.Failure) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system(code: errno) }
  }
}
