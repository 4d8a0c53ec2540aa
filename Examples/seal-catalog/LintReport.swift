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

  private mutating func add(_ line: JSONValue) { lines += line.serialized + [UInt8(ascii: "\n")] }
}

extension CatalogWarning {
  var line: JSONValue {
    let value: JSONValue = if let value { .string(value) } else { .null }
    return .object([
      "level": .string("warning"), "code": .string(code.rawValue), "index": .integer(index),
      "key": .string(key), "value": value,
    ])
  }
}

/// A fault that refuses a file.
struct ErrorLine {
  var code: String
  var index: Int?
  var key: String?
  var value: String?
  var reason: String

  init(code: String, index: Int? = nil, key: String? = nil, value: String? = nil, reason: String) {
    self.code = code
    self.index = index
    self.key = key
    self.value = value
    self.reason = reason
  }

  var json: JSONValue {
    let index: JSONValue = if let index { .integer(index) } else { .null }
    return .object([
      "level": .string("error"), "code": .string(code), "index": index, "key": text(key),
      "value": text(value), "reason": .string(reason),
    ])
  }

  private func text(_ text: String?) -> JSONValue {
    if let text { .string(text) } else { .null }
  }
}

extension ProductListFailure {
  var line: JSONValue {
    let value: String? = if case .unknownValue(let text) = reason { text } else { nil }
    return ErrorLine(
      code: reason.code, index: index, key: key, value: value, reason: reason.description
    ).json
  }
}

extension ProductListFailure.Reason {
  fileprivate var code: String {
    switch self {
    case .tooLarge: "tooLarge"
    case .notJSON: "notJSON"
    case .notAnArray: "notAnArray"
    case .notAnObject: "notAnObject"
    case .missing: "missing"
    case .wrongType: "wrongType"
    case .unknownValue: "unknownValue"
    case .badText: "badText"
    case .tooMany: "tooMany"
    }
  }
}

extension SealedCatalogFailure {
  var line: JSONValue { ErrorLine(code: code, reason: description).json }

  private var code: String {
    switch self {
    case .fileTooShort: "fileTooShort"
    case .lengthNotBlockMultiple: "lengthNotBlockMultiple"
    case .decryptionFailed: "decryptionFailed"
    case .compressedDataInvalid: "compressedDataInvalid"
    case .outputTooLarge: "outputTooLarge"
    case .containerMagic: "containerMagic"
    case .containerVersion: "containerVersion"
    case .containerFlags: "containerFlags"
    case .authenticationFailed: "authenticationFailed"
    }
  }
}
