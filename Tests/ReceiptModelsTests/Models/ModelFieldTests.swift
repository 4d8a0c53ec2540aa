import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Fields of models")
struct ModelFieldTests {
  @Test("every documented field is known, read and written again", arguments: ContractModel.all)
  func roundTrip(_ contract: ContractModel) throws {
    let model = try contract.read(contract.populated)
    #expect(model.json == contract.populated)
    #expect(try Self.additionalMembers(of: model) == [:])
  }

  @Test("every field is in the property that bears its name", arguments: ContractModel.all)
  func properties(_ contract: ContractModel) throws {
    let model = try contract.read(contract.populated)
    var names: Set<String> = []
    for property in Mirror(reflecting: model).children {
      let label = try #require(property.label)
      guard label != "additionalMembers" else { continue }
      let field = try #require(
        contract.fields.first { $0.name.lowercased() == label.lowercased() }, "\(label)")
      let value = try #require(property.value as? any FieldValue, "\(label)")
      // Tokens are not shown; TokenRedactionTests looks at them.
      if value.json != .string("redacted") {
        #expect(value.json == contract.populated[field.name], "\(label)")
      }
      names.insert(field.name)
    }
    #expect(names == Set(contract.fields.map(\.name)))
  }

  @Test("a wrong JSON type is refused with its exact path", arguments: ContractModel.all)
  func wrongTypes(_ contract: ContractModel) {
    for site in contract.sites {
      for wrong in site.shape.wrongValues {
        let json = contract.populated.replacing(site.path[...], by: wrong)
        let failure = FieldTypeFailure(
          path: site.text, expected: site.shape.kind, found: wrong.kind)
        #expect(throws: failure) { try contract.read(json) }
      }
    }
  }

  @Test("an optional field may be absent, and null means the same", arguments: ContractModel.all)
  func absentFields(_ contract: ContractModel) throws {
    for site in contract.sites where site.isMember && !site.isRequired {
      let absent = contract.populated.replacing(site.path[...], by: nil)
      let null = contract.populated.replacing(site.path[...], by: .null)
      let expected = if case .preset = site.shape { contract.populated } else { absent }
      #expect(try contract.read(absent).json == expected, "\(site.text)")
      #expect(try contract.read(null).json == expected, "\(site.text)")
    }
  }

  @Test("a required field may be neither absent nor null", arguments: ContractModel.all)
  func requiredFields(_ contract: ContractModel) {
    for site in contract.sites where site.isMember && site.isRequired {
      let failure = FieldTypeFailure(
        path: site.text, expected: site.shape.kind, found: .absent)
      for replacement in [nil, JSONValue.null] {
        let json = contract.populated.replacing(site.path[...], by: replacement)
        #expect(throws: failure) { try contract.read(json) }
      }
    }
  }

  @Test("an element may not be null", arguments: ContractModel.all)
  func nullElements(_ contract: ContractModel) {
    for site in contract.sites where !site.isMember && !site.path.isEmpty {
      let json = contract.populated.replacing(site.path[...], by: .null)
      let failure = FieldTypeFailure(path: site.text, expected: site.shape.kind, found: .null)
      #expect(throws: failure) { try contract.read(json) }
    }
  }

  @Test("unknown members are kept in every object", arguments: ContractModel.all)
  func unknownMembers(_ contract: ContractModel) throws {
    let unknown = JSONValue.object([
      "list": .array([.null, .number(1.5), .string("a")]), "null": .null,
    ])
    var json = contract.populated
    for site in contract.sites {
      guard case .object = site.shape else { continue }
      json = json.replacing((site.path + [.member("unknownMember")])[...], by: unknown)
    }
    let model = try contract.read(json)
    #expect(model.json == json)
    #expect(try Self.additionalMembers(of: model) == ["unknownMember": unknown])
  }

  @Test("names of members are told apart by case", arguments: ContractModel.all)
  func caseOfNames(_ contract: ContractModel) throws {
    var json = contract.populated
    for field in contract.fields {
      let other =
        field.name == field.name.uppercased()
        ? field.name.lowercased() : field.name.uppercased()
      json = json.replacing([.member(other)], by: .boolean(false))
    }
    #expect(try contract.read(json).json == json)
  }

  @Test("Codable gives the same as the JSON form", arguments: ContractModel.all)
  func codable(_ contract: ContractModel) throws {
    let json = contract.populated.replacing([.member("unknownMember")], by: .array([.null]))
    let model = try contract.read(json)
    let decoded = try contract.readByDecoder(Data(json.serialized))
    #expect(contract.areEqual(decoded, model))
    let encoded = try JSONEncoder().encode(model)
    #expect(try JSONValue(parsing: Array(encoded)) == json)
    let nested = JSONValue.object(["outer": .array([json])])
    #expect(contract.areEqual(try contract.readNested(Data(nested.serialized)), model))
  }

  @Test("Codable reports a wrong type as corrupted data", arguments: ContractModel.all)
  func codableFailure(_ contract: ContractModel) throws {
    for site in contract.sites {
      for wrong in site.shape.wrongValues {
        let json = contract.populated.replacing(site.path[...], by: wrong)
        let failure = FieldTypeFailure(
          path: site.text, expected: site.shape.kind, found: wrong.kind)
        let error = try #require(throws: DecodingError.self) {
          try contract.readByDecoder(Data(json.serialized))
        }
        guard case .dataCorrupted(let context) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(context.underlyingError as? FieldTypeFailure == failure)
        #expect(context.debugDescription == failure.description)
        #expect(context.codingPath.isEmpty)
      }
    }
  }

  /// The members that the model did not know.
  private static func additionalMembers(of model: any JSONModel) throws -> [String: JSONValue] {
    let property = Mirror(reflecting: model).children.first { $0.label == "additionalMembers" }
    return try #require(property?.value as? [String: JSONValue])
  }
}
