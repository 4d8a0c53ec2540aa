import EntitlementPolicy

/// Loads a list from text.
func catalog(_ json: String) throws(ProductListFailure) -> ProductCatalog {
  try ProductCatalog(json: Array(json.utf8))
}

/// The failure to load a list, or nil if it loads.
func failure(_ json: String) -> ProductListFailure? {
  do throws(ProductListFailure) {
    _ = try catalog(json)
    return nil
  } catch {
    return error
  }
}

/// The place and reason of a failure in one line, or nil if the list loads.
func fault(_ json: String) -> String? {
  failure(json).map { error in
    "\(error.index.map(String.init) ?? "-") \(error.key ?? "-") \(error.reason)"
  }
}

/// The warnings of a list, each as index, code, key and value.
func warnings(_ json: String) throws -> [String] {
  try catalog(json).warnings.map { warning in
    "\(warning.index) \(warning.code.rawValue) \(warning.key) \(warning.value ?? "-")"
  }
}

/// An element with an identifier, a type and more members.
func element(_ identifier: String, _ type: String = "nonConsumable", _ members: String = "")
  -> String
{
  let more = members.isEmpty ? "" : ",\(members)"
  return #"{"identifier":"\#(identifier)","productType":"\#(type)"\#(more)}"#
}

/// A list of elements.
func list(_ elements: String...) -> String { "[\(elements.joined(separator: ","))]" }

/// The list K of the acceptance matrix.
enum MatrixList {
  static let start = "com.example.draw."

  /// The elements of K, with the type of the third, members of `frames`, and `unlocks` of `lite.monthly`.
  static func json(
    third: String = "nonConsumable",
    unlocks: String = #"["com.example.draw.f*","com.example.draw.paper"]"#,
    more: String...
  ) -> String {
    let elements =
      [
        element("\(start)brushes", "nonConsumable", #""isSubscribersOnly":true"#),
        element("\(start)frames"),
        element("\(start)frames.gold", third, #""isSubscribersOnly":true"#),
        element("\(start)paper"), element("\(start)coins", "consumable"),
        element(
          "\(start)full.monthly", "renewableSubscription",
          #""discountedProducts":["\#(start)full25.monthly"]"#),
        element("\(start)lite.monthly", "renewableSubscription", #""unlocks":\#(unlocks)"#),
      ] + more
    return "[\(elements.joined(separator: ","))]"
  }
}

extension ProductCatalog {
  /// The identifiers without the start that those of the acceptance matrix have.
  var names: [String] {
    products.map { $0.identifier.replacing(MatrixList.start, with: "") }
  }
}
