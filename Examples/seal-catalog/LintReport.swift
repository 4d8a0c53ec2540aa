import CatalogFiles
import EntitlementPolicy
import JSONValues

/// The faults and doubts in a product list, as lines of JSON.
struct LintReport {
  /// The lines, each with its line break.
  private(set) var lines: [UInt8] = []
  /// Whether the list doesn't load.
  private(set) var isRefused = false
  /// The number of warnings without a line, or nil if there are none.
  private(set) var omitted: Int?

  /// Checks a file, which is sealed if there is a key.
  init(_ file: [UInt8], key: CatalogKey?) {
    do {
      let json = try key.map { try SealedCatalog.open(file, key: $0) } ?? file
      let catalog = try ProductCatalog(json: json)
      for warning in catalog.warnings { add(warning.line) }
      let rest = catalog.warningCount - catalog.warnings.count
      omitted = rest > 0 ? rest : nil
    } catch let failure as ProductListFailure {
      refuse(failure.line)
    } catch let failure as SealedCatalogFailure {
      refuse(failure.line)
    } catch {
      refuse(ErrorLine(code: "unknown", reason: "\(error)").json)
    }
  }

  private mutating func refuse(_ line: JSONValue) {
    isRefused = true
    add(line)
  }

  private mutating func add(_ line: JSONValue) {
    lines += line.serialized + [UInt8(ascii: "\n")]
  }
}
