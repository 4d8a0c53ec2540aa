internal import HTTPMessages

extension HTTPHeaders {
  /// Sets fields, each in place of those with its name.
  mutating func setAll(_ fields: HTTPHeaders) {
    // The value of a field is valid in another.
    for field in fields { try? set(field.value, for: field.name) }
  }

  /// How many bytes the body has by its header fields: the greatest number among them, or 0.
  ///
  /// Whether they are right is for the server to check, which reads the body by them.
  var declaredLength: Int {
    values(for: .contentLength).map { text in
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
      return text.isEmpty ? 0 : Int(text) ?? .max
    }.max() ?? 0
  }

  /// Whether the body is compressed, or coded in any way but `identity`.
  ///
  /// Source: RFC 9110 section 8.4.
  var declaresCoding: Bool {
    values(for: .contentEncoding).contains { value in
      value.utf8.split(separator: UInt8(ascii: ",")).contains { coding in
        let name = coding.filter { $0 != 0x20 && $0 != 0x09 }
        return !name.isEmpty && String(decoding: name, as: UTF8.self).lowercased() != "identity"
      }
    }
  }
}
