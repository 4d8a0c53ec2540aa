import CreditPolicy
import JSONValues
import StorekeeperToolSupport

// The product mapping (credit rules, section 8).
extension LineMembers {
  func products() throws(LineFailure) -> CreditProducts {
    let mapping = try required("products", .object, try object("products"))
    var products: [CreditProduct] = []
    for code in mapping.names {
      guard let product = try mapping.object(code) else { continue }
      products.append(try product.product(code))
    }
    do throws(CreditProductsFailure) {
      return try CreditProducts(products)
    } catch {
      throw LineFailure(path: path("products"), error: Self.words(error))
    }
  }

  private func product(_ code: String) throws(LineFailure) -> CreditProduct {
    let id = "app_store_product_id"
    return CreditProduct(
      code: code,
      appStoreProductID: try neededText(id),
      credits: try required("credits", .integer, try value("credits", Int.self)),
      type: (try choice("type") ?? SoldType.standard).type,
      sortOrder: try value("sort_order", Int.self) ?? 0,
      isEnabled: try value("enabled", Bool.self) ?? true)
  }

  private static func words(_ failure: CreditProductsFailure) -> String {
    switch failure {
    case .creditsOutOfRange(let code): "the credits of \(code) are not 1 to 1000000000"
    case .duplicateCode(let code): "\(code) is there twice"
    case .duplicateProduct(let codes):
      "\(codes.joined(separator: " and ")) are enabled with one app_store_product_id"
    case .duplicateGooglePlayProduct(let codes):
      "\(codes.joined(separator: " and ")) are enabled with one google_play_product_id"
    }
  }

  /// The types of products that need no registration.
  private enum SoldType: String, CaseIterable {
    case starter, standard

    var type: CreditProductType { self == .starter ? .starter : .standard }
  }
}
