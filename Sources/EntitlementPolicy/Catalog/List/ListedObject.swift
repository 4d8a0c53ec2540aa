internal import JSONValues

/// An object of a list, with the places of its known members.
///
/// The first of several members of the same name counts. A raw value of `Key` equals no other text, as none
/// has a letter with an equivalent one.
struct ListedObject<Key: RawRepresentable<String> & Equatable> {
  private let text: JSONText
  private let place: JSONText.Place
  private var values: [Value] = []
  private var hasUnknownKeys = false

  private struct Value {
    let key: Key
    let place: JSONText.Place
  }

  init(_ text: JSONText, at place: JSONText.Place) {
    self.text = text
    self.place = place
    for member in text.members(at: place) {
      guard let key = Key(rawValue: Self.name(of: member, in: text)) else {
        hasUnknownKeys = true
        continue
      }
      if self[key] == nil { values.append(Value(key: key, place: member.value)) }
    }
  }

  /// The place of the value of a key, or nil if it is absent.
  subscript(key: Key) -> JSONText.Place? { values.first { $0.key == key }?.place }

  /// Calls a function with each name that is no key, cut after 255 bytes.
  func forEachUnknownKey(besides known: [Key], _ body: (String) -> Void) {
    guard hasUnknownKeys || !values.allSatisfy({ known.contains($0.key) }) else { return }
    for member in text.members(at: place) {
      let name = Self.name(of: member, in: text)
      if let key = Key(rawValue: name), known.contains(key) { continue }
      body(name)
    }
  }

  private static func name(of member: JSONText.Member, in text: JSONText) -> String {
    text.string(at: member.name, limit: String.quotedByteCount) ?? ""
  }
}

/// An element of a list that has no faults.
struct ListedElement {
  let index: Int
  let identifier: UniqueText
  let type: CatalogProductType
  let isSubscribersOnly: Bool
  let discounts: ListedTexts?
  let content: ContentDescriptor?
  let unlocks: ListedTexts?
}

/// The texts of an array in a list, each cut after the first byte too many for an identifier.
///
/// They are read from the list each time, as there may be millions.
typealias ListedTexts = JSONText.Strings
