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

  /// Nil if there is no such file, or nothing in it, as after a crash of the machine.
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

  /// The stamp of a file, or nil if there is none.
  static func stamp(ofPath path: String) throws(FileReceiptStore.Failure) -> Date? {
    try OpenFile(reading: path)?.status().stamp
  }

  /// Under another name, made durable, then renamed.
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
    // That the new name outlives a crash of the machine does not matter: it is a cache.
    guard unsafe rename(draft, path) == 0 else { throw .system(code: errno) }
  }

  /// It is no failure that there is none.
  static func remove(_ path: String) throws(FileReceiptStore.Failure) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system(code: errno) }
  }
}
