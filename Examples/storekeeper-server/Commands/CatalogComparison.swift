import JSONValues
import Storekeeper

/// The comparison of the settings' products with the Play Console.
enum CatalogComparison {
  /// Prints each difference as one JSON object a line, and ends the program with status 1 if there are any.
  ///
  /// - Throws: `GooglePlayFailure`.
  static func run(_ settings: Settings) async throws {
    guard let google = settings.google else { return }
    let catalog = try await PlayCatalog(readBy: google.client)
    let apps = settings.productLists?.apps
    let entitled = apps?.bundleIDs.flatMap { apps?[$0]?.catalog.products.map(\.identifier) ?? [] }
    let differences = catalog.differences(
      products: settings.products, levels: settings.levels?.levels.all ?? [],
      credits: settings.creditProducts?.products.enabled ?? [], others: entitled ?? [])
    for difference in differences {
      Output.standard.write(String(decoding: difference.json.serialized, as: UTF8.self))
    }
    if !differences.isEmpty { Output.exit(1) }
  }
}

extension PlayCatalogDifference {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["text": .string("\(self)")]
    switch self {
    case .missing(let product, let plan): members.set("missing", product, plan)
    case .otherKind(let product): members.set("otherKind", product)
    case .notForSale(let product): members.set("notForSale", product)
    case .otherPeriod(let product, let plan, _, _): members.set("otherPeriod", product, plan)
    case .unlisted(let product, let plan): members.set("unlisted", product, plan)
    }
    return .object(members)
  }
}

extension [String: JSONValue] {
  fileprivate mutating func set(_ kind: String, _ product: String, _ plan: String? = nil) {
    self["difference"] = .string(kind)
    self["product"] = .string(product)
    self["basePlan"] = plan.map(JSONValue.string)
  }
}
