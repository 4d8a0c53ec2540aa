extension String {
  /// The beginning of a text from outside, as much as a column holds, without zero bytes.
  init(bounding text: String) {
    let bytes = text.utf8.lazy.filter { $0 != 0 }.prefix(200)
    self = String(decoding: Array(bytes), as: UTF8.self)
  }
}
