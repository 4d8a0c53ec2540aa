internal import CreditPolicy
internal import JSONValues

/// Reads credit products from the tree of a file.
///
/// Source: credit rules, section 8.
struct MappingReader {
  let types: [CreditProductType]
  private(set) var warnings: [MappingWarning] = []
  private(set) var warningCount = 0

  private static let creditBounds = 1...1_000_000_000

  init(types: [CreditProductType]) { self.types = types }

  mutating func products(in file: CatalogNode) throws(CatalogFault) -> CreditProducts {
    let key = "product_mappings"
    // A file without a value, or with comments only, has no keys.
    let root: CatalogNode = file.content == .null ? CatalogNode(.map([]), line: file.line) : file
    let fields = try CatalogField(root, at: .file, line: root.line).fields()
    let mappings = try fields.required(key, .map).fields()
    warn(fields.unknown(besides: [key]))
    var products: [CreditProduct] = []
    var places: [[UInt8]: CatalogField] = [:]
    for (code, field) in mappings.all {
      products.append(try product(code, field))
      places[Array(code.utf8)] = field
    }
    do throws(CreditProductsFailure) {
      return try CreditProducts(products)
    } catch {
      throw fault(error, places: places, mappings: mappings)
    }
  }

  private mutating func product(
    _ code: String, _ field: CatalogField
  ) throws(CatalogFault) -> CreditProduct {
    let rule = CatalogTextRule.code(maximumLength: 32)
    guard rule.accepts(code) else { throw field.fault(.textOutOfRange(rule)) }
    let fields = try field.fields()
    let keys = [
      "app_store_product_id", "credits", "type", "sort_order", "enabled", "google_play_product_id",
    ]
    var product = CreditProduct(
      code: code,
      appStoreProductID: try fields.required(keys[0], .text).text(
        .withoutSpace(maximumLength: 128)),
      credits: try fields.required(keys[1], .wholeNumber).wholeNumber(in: Self.creditBounds),
      type: try type(fields.optional(keys[2])),
      sortOrder: try fields.optional(keys[3])?.wholeNumber() ?? 0,
      isEnabled: try fields.optional(keys[4])?.boolean() ?? true)
    product.googlePlayProductID =
      try fields.optional(keys[5])?.text(.withoutSpace(maximumLength: 128))
    warn(fields.unknown(besides: keys))
    return product
  }

  private func type(_ field: CatalogField?) throws(CatalogFault) -> CreditProductType {
    guard let field else { return .standard }
    let text = try field.text()
    guard let type = types.first(where: { $0.rawValue.isSameText(as: text) }) else {
      throw field.fault(.unknownType(known: types.map(\.rawValue)))
    }
    return type
  }

  private func fault(
    _ failure: CreditProductsFailure, places: [[UInt8]: CatalogField], mappings: CatalogFields
  ) -> CatalogFault {
    let code: String
    let key: String?
    let problem: CatalogProblem
    switch failure {
    case .duplicateProduct(let codes):
      (code, key) = (codes.last ?? "", "app_store_product_id")
      problem = .duplicateProduct(code: codes.first ?? "")
    case .duplicateGooglePlayProduct(let codes):
      (code, key) = (codes.last ?? "", "google_play_product_id")
      problem = .duplicateProduct(code: codes.first ?? "")
    // The reader of keys and that of credits have refused these.
    case .duplicateCode(let repeated):
      (code, key, problem) = (repeated, nil, .duplicateKey(firstLine: nil))
    case .creditsOutOfRange(let poor):
      (code, key, problem) = (poor, "credits", .numberOutOfRange(Self.creditBounds))
    }
    let place = places[Array(code.utf8)]
    let inner = key.flatMap { key in (try? place?.fields())?.optional(key) }
    return (inner ?? place)?.fault(problem)
      ?? CatalogFault(problem, at: mappings.path.key(code), line: mappings.line)
  }

  private mutating func warn(_ fields: [CatalogField]) {
    warningCount += fields.count
    let free = CreditProductMapping.maximumWarningCount - warnings.count
    warnings += fields.prefix(free).map { MappingWarning(path: $0.path, line: $0.line) }
  }
}
