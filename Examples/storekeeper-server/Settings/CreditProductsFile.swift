import CatalogFiles
import CreditPolicy
import JSONValues
import StorekeeperLocks

/// The credit packs of a file, which can be read again while the server runs.
final class CreditProductsFile: Sendable {
  /// The maximum number of bytes of a mapping (credit rules, section 8); one more is enough to refuse
  /// a larger file.
  private static let sizeLimit = 1 << 20

  private let path: String
  private let mapping: Locked<CreditProductMapping>

  /// Reads a file.
  ///
  /// - Throws: ``SettingsFailure`` if the file cannot be read, `MappingFailure` if it is refused.
  init(_ path: String) throws {
    self.path = path
    mapping = Locked(try Self.read(path))
  }

  /// The packs in use.
  var products: CreditProducts { mapping.withLock { $0.products } }

  /// Logs the keys of the file that have no meaning.
  func tellWarnings() {
    let mapping = mapping.withLock { $0 }
    for warning in mapping.warnings {
      ServerLog.note("credit products", ["warning": .string("\(warning)")])
    }
    let others = mapping.warningCount - mapping.warnings.count
    guard others > 0 else { return }
    ServerLog.note("credit products", ["furtherWarnings": .integer(others)])
  }

  /// Reads the file again, and logs what has changed; a file that is refused changes nothing.
  func reload() {
    let new: CreditProductMapping
    do {
      new = try Self.read(path)
    } catch {
      // Both failures are lines for people, without values of the file.
      let reason = error is MappingFailure ? "\(error)" : "the file cannot be read"
      return ServerLog.note("credit products refused", ["reason": .string(reason)])
    }
    let old = mapping.withLock { mapping in
      defer { mapping = new }
      return mapping.products
    }
    let (before, now) = (Self.byCode(old), Self.byCode(new.products))
    let common = Set(before.keys).intersection(now.keys)
    ServerLog.note(
      "credit products reloaded",
      [
        "products": .integer(now.count), "added": .integer(now.count - common.count),
        "removed": .integer(before.count - common.count),
        "changed": .integer(common.count { before[$0] != now[$0] }),
      ])
    tellWarnings()
  }

  /// The packs for sale.
  private static func byCode(_ products: CreditProducts) -> [[UInt8]: CreditProduct] {
    Dictionary(products.enabled.map { (Array($0.code.utf8), $0) }) { first, _ in first }
  }

  private static func read(_ path: String) throws -> CreditProductMapping {
    guard let bytes = RegularFile.contents(path, limit: sizeLimit + 1) else {
      throw SettingsFailure.unreadable(path)
    }
    return try CreditProductMapping(bytes: bytes)
  }
}
