import Foundation
import JSONValues
import ReceiptModels
import Testing

/// The JSON type of a field, by the wire codes of the contract.
indirect enum Shape: Sendable {
  case string  // s, j
  case integer  // i
  case boolean  // b
  case date  // d
  case uuid  // u!
  case lenientUUID  // u
  case stringVocabulary  // es
  case integerVocabulary  // ei
  case object([Field])
  case array(Shape)
  /// A string that our models write even when JSON lacked it.
  case preset(String)
}

/// One documented member.
struct Field: Sendable {
  var name: String
  var shape: Shape
  var isRequired = false

  static func many(_ shape: Shape, _ names: [String]) -> [Field] {
    names.map { Field(name: $0, shape: shape) }
  }
  static func s(_ names: String...) -> [Field] { many(.string, names) }
  static func j(_ names: String...) -> [Field] { many(.string, names) }
  static func i(_ names: String...) -> [Field] { many(.integer, names) }
  static func b(_ names: String...) -> [Field] { many(.boolean, names) }
  static func d(_ names: String...) -> [Field] { many(.date, names) }
  static func u(_ names: String...) -> [Field] { many(.lenientUUID, names) }
  static func es(_ names: String...) -> [Field] { many(.stringVocabulary, names) }
  static func ei(_ names: String...) -> [Field] { many(.integerVocabulary, names) }
  static func strings(_ names: String...) -> [Field] { many(.array(.string), names) }
  static func object(_ name: String, _ model: ContractModel) -> [Field] {
    many(.object(model.fields), [name])
  }
  static func list(_ name: String, _ model: ContractModel) -> [Field] {
    many(.array(.object(model.fields)), [name])
  }
}

extension [Field] {
  /// The same fields, marked `!`.
  var required: [Field] {
    map { field in
      var field = field
      field.isRequired = true
      if case .lenientUUID = field.shape { field.shape = .uuid }
      return field
    }
  }
}

/// A model of ours with the fields that the contract lists for it.
struct ContractModel: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var fields: [Field]
  var read: @Sendable (JSONValue) throws -> any JSONModel
  var readByDecoder: @Sendable (Data) throws -> any JSONModel
  var readNested: @Sendable (Data) throws -> any JSONModel
  var areEqual: @Sendable (any JSONModel, any JSONModel) -> Bool

  init<Model: JSONModel>(_ type: Model.Type, _ fields: [Field]...) {
    testDescription = "\(type)"
    self.fields = fields.flatMap(\.self)
    read = { try Model(json: $0) }
    readByDecoder = { try JSONDecoder().decode(Model.self, from: $0) }
    readNested = {
      try JSONDecoder().decode([String: [Model]].self, from: $0)["outer"]?.first
        ?? Model(json: .null)
    }
    areEqual = { ($0 as? Model) == ($1 as? Model) && $0 is Model }
  }

  /// An object in which every field is set, each to a value of its own.
  var populated: JSONValue {
    var number = 0
    return Shape.object(fields).sample(&number)
  }

  /// Every position in ``populated``, including elements of arrays.
  var sites: [Site] { Shape.object(fields).sites(below: [], isRequired: true) }
}

extension Shape {
  func sample(_ number: inout Int) -> JSONValue {
    number += 1
    switch self {
    case .string: return .string("text \(number)")
    case .stringVocabulary: return .string("VALUE_\(number)")
    case .integer, .integerVocabulary: return .integer(1000 + number)
    case .boolean: return .boolean(true)
    case .date: return .integer(1_698_148_900_000 + number)
    case .uuid, .lenientUUID:
      let digits = "\(1_000_000_000_000 + number)".dropFirst()
      return .string("7e3fb20b-4cdb-47cc-936d-\(digits)")
    case .preset(let text): return .string(text)
    case .array(let element):
      return .array([element.sample(&number), element.sample(&number)])
    case .object(let fields):
      var members: [String: JSONValue] = [:]
      for field in fields { members[field.name] = field.shape.sample(&number) }
      return .object(members)
    }
  }

  /// The expected kind in a failure.
  var kind: JSONKind {
    switch self {
    case .string, .stringVocabulary, .preset: .string
    case .integer, .integerVocabulary: .integer
    case .boolean: .boolean
    case .date: .number
    case .uuid, .lenientUUID: .uuid
    case .array: .array
    case .object: .object
    }
  }

  /// Values that this shape refuses.
  var wrongValues: [JSONValue] {
    let all: [JSONValue] = [
      .boolean(true), .integer(1), .number(1.5), .string("1"), .array([]), .object([:]),
    ]
    return all.filter { value in
      switch (self, value.kind) {
      case (.string, .string), (.stringVocabulary, .string), (.preset, .string): false
      case (.integer, .integer), (.integerVocabulary, .integer): false
      case (.boolean, .boolean): false
      case (.date, .integer), (.date, .number): false
      case (.lenientUUID, .string): false
      case (.array, .array), (.object, .object): false
      default: true
      }
    }
  }

  func sites(below path: [Site.Step], isRequired: Bool) -> [Site] {
    var sites = [Site(path: path, shape: self, isRequired: isRequired)]
    switch self {
    case .object(let fields):
      for field in fields {
        sites += field.shape.sites(
          below: path + [.member(field.name)], isRequired: field.isRequired)
      }
    case .array(let element):
      for index in 0..<2 {
        sites += element.sites(below: path + [.element(index)], isRequired: true)
      }
    default: break
    }
    return sites
  }
}

/// A position in a populated object.
struct Site: Sendable {
  enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)
  }

  var path: [Step]
  var shape: Shape
  /// Whether the object around it needs it; true for elements, which cannot be left out.
  var isRequired: Bool

  /// The path as failures write it: names joined by dots, elements as `[index]`.
  var text: String {
    var text = ""
    for step in path {
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += "[\(index)]"
      }
    }
    return text
  }

  var isMember: Bool {
    if case .member? = path.last { true } else { false }
  }
}

extension JSONValue {
  /// The value with the member at the path replaced or removed.
  func replacing(_ path: ArraySlice<Site.Step>, by new: JSONValue?) -> JSONValue {
    switch (self, path.first) {
    case (.object(var members), .member(let name)?):
      members[name] =
        path.count == 1 ? new : members[name]?.replacing(path.dropFirst(), by: new)
      return .object(members)
    case (.array(var elements), .element(let index)?):
      elements[index] = elements[index].replacing(path.dropFirst(), by: new)
      return .array(elements)
    default:
      return new ?? .null
    }
  }
}
