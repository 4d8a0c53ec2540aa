internal import HTTPMessages

extension HTTPHeaders {
  /// Sets fields, each in the place of those of its name.
  mutating func setAll(_ fields: HTTPHeaders) {
    // What stands in a field can stand in another.
    for field in fields { try? set(field.value, for: field.name) }
  }
}
