import Foundation
import JSONValues
import ReceiptModels
import Testing

/// One of the four answers, by its member in JSON.
struct AnswerCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var content: ContractModel
  var isAnswer: @Sendable (RealtimeResponse.Answer) -> Bool

  var json: JSONValue { .object([testDescription: content.populated]) }
}

@Suite("Realtime responses")
struct RealtimeResponseTests {
  static let all: [AnswerCase] = [
    AnswerCase(testDescription: "message", content: .realtimeMessage) {
      if case .message = $0 { true } else { false }
    },
    AnswerCase(testDescription: "alternateProduct", content: .realtimeAlternateProduct) {
      if case .alternateProduct = $0 { true } else { false }
    },
    AnswerCase(testDescription: "promotionalOffer", content: .realtimePromotionalOffer) {
      if case .promotionalOffer = $0 { true } else { false }
    },
    AnswerCase(testDescription: "advancedCommerceInfo", content: .realtimeAdvancedCommerceInfo) {
      if case .advancedCommerceInfo = $0 { true } else { false }
    },
  ]

  @Test("hold one answer, under Apple's name", arguments: all)
  func roundTrip(_ one: AnswerCase) throws {
    let response = try RealtimeResponse(json: one.json)
    #expect(one.isAnswer(response.answer))
    #expect(response.additionalMembers == [:])
    #expect(response.json == one.json)
    #expect(RealtimeResponse(response.answer).json == one.json)
    let encoded = try JSONEncoder().encode(response)
    #expect(try JSONValue(parsing: Array(encoded)) == one.json)
    #expect(try JSONDecoder().decode(RealtimeResponse.self, from: encoded) == response)
  }

  @Test("refuse a wrong type with its exact path", arguments: all)
  func wrongTypes(_ one: AnswerCase) {
    for site in one.content.sites {
      let path = [.member(one.testDescription)] + site.path
      for wrong in site.shape.wrongValues {
        let failure = FieldTypeFailure(
          path: Site(path: path, shape: site.shape, isRequired: true).text,
          expected: site.shape.kind, found: wrong.kind)
        #expect(throws: failure) {
          try RealtimeResponse(json: one.json.replacing(path[...], by: wrong))
        }
      }
    }
  }

  @Test("refuse two answers at the path of the second")
  func twoAnswers() throws {
    let json = JSONValue.object(["message": .object([:]), "promotionalOffer": .object([:])])
    let failure = FieldTypeFailure(path: "promotionalOffer", expected: .absent, found: .object)
    #expect(throws: failure) { try RealtimeResponse(json: json) }
  }

  @Test("count null as no answer")
  func nullAnswer() throws {
    let json = JSONValue.object(["message": .null, "alternateProduct": .object([:])])
    let response = try RealtimeResponse(json: json)
    #expect(response == RealtimeResponse(.alternateProduct(RealtimeAlternateProduct())))
  }

  @Test("refuse no answer", arguments: ["{}", #"{"message":null}"#, #"{"brandNew":{}}"#])
  func noAnswer(text: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    #expect(throws: FieldTypeFailure(expected: .object, found: .absent)) {
      try RealtimeResponse(json: json)
    }
  }

  @Test("keep unknown members")
  func unknownMembers() throws {
    let json = JSONValue.object(["message": .object([:]), "brandNew": .array([.null])])
    let response = try RealtimeResponse(json: json)
    #expect(response.additionalMembers == ["brandNew": .array([.null])])
    #expect(response.json == json)
  }
}
