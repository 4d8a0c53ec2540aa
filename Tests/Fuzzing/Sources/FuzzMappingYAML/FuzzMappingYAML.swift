import CatalogFiles
import CreditPolicy

/// Fuzzes product mappings in YAML: no crash and no leak; every mapping is within the rules, and every failure
/// short and in one line.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMappingYAML(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  guard first != UInt8(ascii: "{") else { return -1 }
  do throws(MappingFailure) {
    check(try CreditProductMapping(bytes: bytes))
  } catch {
    precondition(error.line != nil || error.kind == .tooLarge, "a failure without a line")
    check(error)
  }
  return 0
}

private func check(_ mapping: CreditProductMapping) {
  for product in mapping.products.enabled {
    precondition((1...1_000_000_000).contains(product.credits), "credits out of range")
    precondition((1...32).contains(product.code.utf8.count), "a code out of range")
    precondition(
      (1...128).contains(product.appStoreProductID.unicodeScalars.count), "a product out of range")
    precondition(product.type == .starter || product.type == .standard, "an unknown type")
  }
  for warning in mapping.warnings { check(warning.description) }
}

private func check(_ failure: MappingFailure) { check(failure.description) }

private func check(_ text: String) {
  precondition(text.hasPrefix("mapping: ") && text.utf8.count < 8192, "an unbounded message")
  precondition(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "two lines")
}
