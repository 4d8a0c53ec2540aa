internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

/// An answer with a status of success.
struct ServerAnswer: Sendable {
  let endpoint: AppStoreServerEndpoint
  let environment: AppStoreEnvironment
  let status: HTTPStatusCode
  let body: [UInt8]

  /// Decodes the body.
  ///
  /// - Throws: ``AppStoreServerFailure`` with the status and the body.
  func decoded<Model: FieldModel>(
    as type: Model.Type = Model.self
  ) throws(AppStoreServerFailure) -> Model {
    let text: JSONText
    do {
      text = try JSONText(checking: body, within: .values)
    } catch {
      throw failure(.notJSON)
    }
    do throws(FieldTypeFailure) {
      return try Model(text, at: text.root)
    } catch {
      throw failure(.malformedAnswer(error))
    }
  }

  /// Returns a failure with the status and the body.
  func failure(_ reason: AppStoreServerFailure.Reason) -> AppStoreServerFailure {
    var failure = AppStoreServerFailure(reason, of: endpoint, in: environment)
    failure.status = status
    failure.body = Array(body.prefix(AnswerReader.keptBytes))
    return failure
  }

  /// Returns a required member.
  func required<Value>(
    _ value: Value?, _ path: String, _ kind: JSONKind
  ) throws(AppStoreServerFailure) -> Value {
    guard let value else {
      throw failure(
        .malformedAnswer(FieldTypeFailure(path: path, expected: kind, found: .absent)))
    }
    return value
  }
}
