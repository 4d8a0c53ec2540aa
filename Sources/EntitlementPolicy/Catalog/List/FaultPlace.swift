/// The place of a fault in a list that was read from a file.
struct FaultPlace {
  /// The index of the element, from 0, or nil for the whole file.
  let index: Int?
  /// The path of the key, or nil for the element itself.
  let key: String?

  /// Returns the place and the reason in one line, such as `levels: element 1, key "fee": missing`.
  func description(of reason: some CustomStringConvertible, in list: String) -> String {
    let place = [index.map { "element \($0)" }, key.map { "key \($0.quoted)" }]
      .compactMap(\.self).joined(separator: ", ")
    return [list, place, reason.description].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
