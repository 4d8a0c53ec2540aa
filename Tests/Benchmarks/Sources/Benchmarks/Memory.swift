import Foundation

/// What the operating system says of this process.
enum Memory {
  /// The resident memory in KiB; 0 where there is no procfs.
  static var residentKiB: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let row = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let words = row?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }
}
