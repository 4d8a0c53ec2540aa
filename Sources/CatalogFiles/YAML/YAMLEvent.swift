/// An event of libyaml, with copies of what it points to.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd
    case documentStart, documentEnd
    case alias
    case scalar(text: String, isPlain: Bool)
    case listStart, listEnd
    case mapStart, mapEnd
  }

  var kind: Kind
  /// The line where it begins, from 1.
  var line: Int
  var hasAnchor = false
  /// Whether it has a tag, or begins a document with directives of tags.
  var hasTag = false
}
