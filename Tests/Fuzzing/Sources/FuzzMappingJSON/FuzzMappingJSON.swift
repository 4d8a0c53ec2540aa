import CatalogFiles
import CreditPolicy
import JSONValues

/// Fuzzes product mappings in JSON: no crash; a mapping is one of valid JSON, and has the values that another
/// reader finds in it; every failure is short and in one line.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMappingJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  guard first == UInt8(ascii: "{") else { return -1 }
  do throws(MappingFailure) {
    let mapping = try CreditProductMapping(bytes: bytes)
    guard let json = try? JSONValue(parsing: bytes) else { return 0 }
    for product in mapping.products.enabled {
      let value = json["product_mappings"]?[product.code]
      precondition(value?["credits"] == .integer(product.credits), "other credits")
      precondition(
        value?["app_store_product_id"] == .string(product.appStoreProductID), "another product")
      let type = value?["type"] ?? .string("standard")
      precondition(type == .string(product.type.rawValue), "another type")
    }
  } catch {
    precondition(error.line == nil, "a line of JSON")
    let text = error.description
    precondition(text.hasPrefix("mapping: ") && text.utf8.count < 8192, "an unbounded message")
    precondition(
      text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "two lines")
  }
  return 0
}
