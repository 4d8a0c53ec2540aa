internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A folder of templates that cannot be used; it names the file, never its contents.
public struct MailTemplateFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The folder or the file cannot be read.
    case unreadable
    /// The file is longer than 256 KiB, or is not UTF-8.
    case notText
    /// The file's name is none of a template.
    case unexpectedFile
    /// The template has no `.subject` or no `.txt`.
    case incomplete
    /// The template has a mistake.
    case fault(MailTemplate.Fault)
  }

  /// The path of the file or the folder.
  public let path: String
  public let reason: Reason

  /// The path and the reason.
  public var description: String { "\(path): \(reason)" }
}

extension MailTemplates {
  /// Reads the templates of a folder; the plain ones stand in for those that it does not have.
  ///
  /// The folder has the files `link.subject` and `link.txt`, and `link.html` if HTML is wanted; so for the other
  /// names. A folder in it that is called by a language, such as `zh-Hans`, has the same files in that language. Files
  /// whose names begin with a dot are passed over. All are in UTF-8.
  public init(folder: String) throws(MailTemplateFailure) {
    self.init(templates: [:])
    var languages: Set<String> = []
    for entry in try Self.entries(folder) {
      let path = "\(folder)/\(entry)"
      if Self.isFolder(path) {
        // Letter case does not count in a language.
        guard Self.isLanguage(entry), languages.insert(entry.lowercased()).inserted else {
          throw MailTemplateFailure(path: path, reason: .unexpectedFile)
        }
        try read(path, entries: try Self.entries(path), language: entry)
      }
    }
    try read(
      folder, entries: try Self.entries(folder).filter { !Self.isFolder("\(folder)/\($0)") },
      language: nil)
  }

  private mutating func read(
    _ folder: String, entries: [String], language: String?
  ) throws(MailTemplateFailure) {
    var parts: [String: [String: String]] = [:]
    for entry in entries {
      let path = "\(folder)/\(entry)"
      guard let dot = entry.lastIndex(of: "."), dot != entry.startIndex,
        Self.parts.contains(String(entry[entry.index(after: dot)...])), !Self.isFolder(path)
      else { throw MailTemplateFailure(path: path, reason: .unexpectedFile) }
      parts[String(entry[..<dot]), default: [:]][String(entry[entry.index(after: dot)...])] =
        try Self.text(path)
    }
    for (name, texts) in parts.sorted(by: { $0.key < $1.key }) {
      let path = "\(folder)/\(name)"
      guard let subject = texts["subject"], let text = texts["txt"] else {
        throw MailTemplateFailure(path: path, reason: .incomplete)
      }
      do throws(MailTemplate.Fault) {
        set(
          try MailTemplate(subject: Self.line(subject), text: text, html: texts["html"]),
          for: name, language: language)
      } catch {
        throw MailTemplateFailure(path: path, reason: .fault(error))
      }
    }
  }

  private static let parts: Set = ["subject", "txt", "html"]
  private static let sizeLimit = 256 << 10

  private static func entries(_ folder: String) throws(MailTemplateFailure) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw MailTemplateFailure(path: folder, reason: .unreadable)
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    type(of: path) == .typeDirectory
  }

  private static func type(of path: String) -> FileAttributeType? {
    // Attributes are those of a link itself.
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }

  private static func text(_ path: String) throws(MailTemplateFailure) -> String {
    guard type(of: path) == .typeRegular, let data = FileManager.default.contents(atPath: path)
    else { throw MailTemplateFailure(path: path, reason: .unreadable) }
    guard data.count <= sizeLimit, let text = String(validating: data, as: UTF8.self) else {
      throw MailTemplateFailure(path: path, reason: .notText)
    }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  /// The text without the line break that an editor adds at its end.
  private static func line(_ text: String) -> String {
    var text = Substring(text)
    while let last = text.last, last.isNewline { text.removeLast() }
    return String(text)
  }

  /// Whether a name has the form of a language tag (RFC 5646).
  private static func isLanguage(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.allSatisfy {
      (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isLetterOrDigit)
    } && (2...8).contains(parts[0].utf8.count)
  }
}
