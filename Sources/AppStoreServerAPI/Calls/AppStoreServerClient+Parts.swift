internal import JSONValues
internal import ReceiptModels

extension AppStoreServerClient {
  /// Checks a transaction ID.
  func transactionID(
    _ id: String, _ endpoint: AppStoreServerEndpoint, field: String = "transactionId"
  ) throws(AppStoreServerFailure) -> String {
    try checking(endpoint) { () throws(InvalidRequest) in
      try RequestPart.transactionID(id, field: field)
    }
  }

  /// Checks a text that becomes one part of a path.
  func pathPart(
    _ text: String, _ field: String, _ endpoint: AppStoreServerEndpoint
  ) throws(AppStoreServerFailure) -> String {
    try checking(endpoint) { () throws(InvalidRequest) in
      try RequestPart.pathPart(text, field: field)
    }
  }

  /// Checks the documented limits of a request.
  func check(
    _ request: some CheckedRequest, _ endpoint: AppStoreServerEndpoint
  ) throws(AppStoreServerFailure) {
    try checking(endpoint) { () throws(InvalidRequest) in try request.validate() }
  }

  /// Runs a check of a request.
  func checking<Value>(
    _ endpoint: AppStoreServerEndpoint, _ check: () throws(InvalidRequest) -> Value
  ) throws(AppStoreServerFailure) -> Value {
    do throws(InvalidRequest) {
      return try check()
    } catch {
      throw AppStoreServerFailure(.invalidRequest(error), of: endpoint)
    }
  }

  /// Sends a request whose answer has no content.
  func order(
    _ request: ServerRequest, in environment: AppStoreEnvironment?, patience: Duration?
  ) async throws(AppStoreServerFailure) {
    try await ask(request, in: environment, patience: patience) {
      _ async throws(AppStoreServerFailure) in
    }
  }

  /// Sends a request whose answer is not signed.
  func unsigned<Model: FieldModel>(
    _ request: ServerRequest, in environment: AppStoreEnvironment?, patience: Duration?
  ) async throws(AppStoreServerFailure) -> Unsigned<Model> {
    try await ask(request, in: environment, patience: patience) {
      answer async throws(AppStoreServerFailure) in
      Unsigned(try answer.decoded(as: Model.self), in: answer.environment)
    }
  }

  /// Sends a request whose answer is not signed, and which may find nothing.
  func optional<Model: FieldModel>(
    _ request: ServerRequest, unless nothing: AppStoreServerErrorCode,
    in environment: AppStoreEnvironment?, patience: Duration?
  ) async throws(AppStoreServerFailure) -> Unsigned<Model>? {
    do throws(AppStoreServerFailure) {
      return try await unsigned(request, in: environment, patience: patience)
    } catch {
      guard error.code == nothing else { throw error }
      return nil
    }
  }
}
