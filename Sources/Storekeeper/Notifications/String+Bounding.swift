extension String {
  /// Creates a string from the first 200 bytes of an untrusted one, without zero bytes.
  init(bounding text: String) {
    let bytes = text.utf8.lazy.filter { $0 != 0 }.prefix(200)
    self = String(decoding: Array(bytes), as: UTF8.self)
  }
}
