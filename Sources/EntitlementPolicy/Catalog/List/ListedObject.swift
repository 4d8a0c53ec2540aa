internal import JSONValues

/// An object of a list, with the places of its known members.
///
/// The first of several members of the same name counts. A raw value of `Key` equals no other text, as none
/// has a letter with an equivalent one.
struct ListedObject<Key: RawRepresentable<String> & Hashable> {
  private let text: JSONText
  private let place: JSONText.Place
  private var places: [Key: JSONText.Place] = [:]

  init(_ text: JSONText, at place: JSONText.Place) {
    self.text = text
    self.place = place
    for member in text.members(at: place) {
      guard let key = Key(rawValue: Self.name(of: member, in: text)), places[key] == nil else {
        continue
      }
      places[key] = member.value
    }
  }

  /// The place of the value of a key, or nil if it is absent.
  subscript(key: Key) -> JSONText.Place? { places[key] }

  /// Calls a function with each name that is no key, cut after 255 bytes.
  func forEachUnknownKey(_ body: (String) -> Void) {
    for member in text.members(at: place) {
      let name = Self.name(of: member, in: text)
      if Key(rawValue: name) == nil { body(name) }
    }
  }

  private static func name(of member: JSONText.Member, in text: JSONText) -> String {
    text.string(at: member.name, limit: String.quotedByteCount) ?? ""
  }
}
