internal import HTTPMessages
internal import JSONValues

extension HTTPHeaders {
  /// The length of the body in bytes, as the `Content-Length` fields declare it: the greatest of
  /// their values, or 0 if there is none.
  ///
  /// An invalid value counts as 0. The server, which reads the body, checks whether the fields are
  /// correct.
  var declaredLength: Int {
    values(for: .contentLength).map { text in
      guard text.utf8.areDigits else { return 0 }
      return text.isEmpty ? 0 : Int(text) ?? .max
    }.max() ?? 0
  }

  /// Whether the body has a content coding, such as compression, other than `identity`.
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
