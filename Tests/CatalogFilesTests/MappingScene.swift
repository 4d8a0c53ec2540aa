import CatalogFiles
import CreditPolicy

/// The mapping of a text.
func mapping(
  _ text: String, registeredTypes: [CreditProductType] = []
) throws(MappingFailure) -> CreditProductMapping {
  try CreditProductMapping(bytes: Array(text.utf8), registeredTypes: registeredTypes)
}

/// The failure of a text, or nil if it has none.
func failure(_ text: String) -> MappingFailure? {
  failure(bytes: Array(text.utf8))
}

/// The failure of bytes, or nil if they have none.
func failure(bytes: [UInt8]) -> MappingFailure? {
  do throws(MappingFailure) {
    _ = try CreditProductMapping(bytes: bytes)
    return nil
  } catch {
    return error
  }
}

/// A mapping of one product, whose fields are lines 3 and following.
func onePack(_ fields: String...) -> String {
  "product_mappings:\n  welcome_pack:\n" + fields.map { "    \($0)\n" }.joined()
}
