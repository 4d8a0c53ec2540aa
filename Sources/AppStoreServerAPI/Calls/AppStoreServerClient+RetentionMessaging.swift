public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreServerClient {
  private static let messaging = ["inApps", "v1", "messaging"]

  // MARK: Images

  /// Uploads an image for retention messages, which Apple then reviews.
  ///
  /// Source: Apple, Upload Image, Retention Messaging API.
  public func uploadImage(
    _ image: RetentionImage, as identifier: UUID, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try checking(.uploadImage) { () throws(InvalidRequest) in try image.validate() }
    var request = ServerRequest(
      .uploadImage, Self.messaging + ["image", RequestPart.uuid(identifier)],
      query: [("imageSize", image.size.rawValue)])
    request.body = .png(image.bytes)
    try await order(request, in: environment, patience: patience)
  }

  /// Removes an image.
  ///
  /// Source: Apple, Delete Image, Retention Messaging API.
  public func deleteImage(
    _ identifier: UUID, in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try await order(
      ServerRequest(.deleteImage, Self.messaging + ["image", RequestPart.uuid(identifier)]),
      in: environment, patience: patience)
  }

  /// Returns all images with the states of their reviews.
  ///
  /// Source: Apple, Get Image List, Retention Messaging API.
  public func imageList(
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<ImageListResponse> {
    try await unsigned(
      ServerRequest(.imageList, Self.messaging + ["image", "list"]), in: environment,
      patience: patience)
  }

  // MARK: Messages

  /// Uploads a retention message, which Apple then reviews.
  ///
  /// Source: Apple, Upload Message, Retention Messaging API.
  public func uploadMessage(
    _ message: UploadMessageRequest, as identifier: UUID,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try check(message, .uploadMessage)
    try await order(
      ServerRequest(
        .uploadMessage, Self.messaging + ["message", RequestPart.uuid(identifier)], sending: message
      ),
      in: environment, patience: patience)
  }

  /// Removes a message.
  ///
  /// Source: Apple, Delete Message, Retention Messaging API.
  public func deleteMessage(
    _ identifier: UUID, in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try await order(
      ServerRequest(.deleteMessage, Self.messaging + ["message", RequestPart.uuid(identifier)]),
      in: environment, patience: patience)
  }

  /// Returns all messages with the states of their reviews.
  ///
  /// Source: Apple, Get Message List, Retention Messaging API.
  public func messageList(
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<MessageListResponse> {
    try await unsigned(
      ServerRequest(.messageList, Self.messaging + ["message", "list"]), in: environment,
      patience: patience)
  }

  // MARK: Default messages

  /// Sets the message that Apple shows for a product and a language unless the server chooses one.
  ///
  /// The message is an approved one, the language such as `en-US`. Source: Apple, Configure Default
  /// Message, Retention Messaging API.
  public func configureDefaultMessage(
    _ message: UUID, forProduct productID: String, locale: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try await order(
      ServerRequest(
        .configureDefaultMessage,
        try defaultMessagePath(productID, locale, .configureDefaultMessage),
        sending: DefaultMessageRequest(messageIdentifier: message)),
      in: environment, patience: patience)
  }

  /// Returns the default message for a product and a language, or nil if none is set.
  ///
  /// Source: Apple, Get Default Message, Retention Messaging API.
  public func defaultMessage(
    forProduct productID: String, locale: String, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<DefaultMessageResponse>? {
    try await optional(
      ServerRequest(
        .defaultMessage, try defaultMessagePath(productID, locale, .defaultMessage)),
      unless: .defaultMessageNotFound, in: environment, patience: patience)
  }

  /// Removes the default message for a product and a language.
  ///
  /// Source: Apple, Delete Default Message, Retention Messaging API.
  public func deleteDefaultMessage(
    forProduct productID: String, locale: String, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try await order(
      ServerRequest(
        .deleteDefaultMessage, try defaultMessagePath(productID, locale, .deleteDefaultMessage)),
      in: environment, patience: patience)
  }

  // MARK: Realtime URL

  /// Sets the URL that Apple asks for a message before it shows one.
  ///
  /// The URL has at most 256 characters. Production needs a passed performance test. Source: Apple,
  /// Configure Realtime URL, Retention Messaging API.
  public func configureRealtimeURL(
    _ url: String, in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    let request = RealtimeURLRequest(realtimeURL: url)
    try check(request, .configureRealtimeURL)
    try await order(
      ServerRequest(
        .configureRealtimeURL, Self.messaging + ["realtime", "url"], sending: request),
      in: environment, patience: patience)
  }

  /// Returns the realtime URL, or nil if none is set.
  ///
  /// Source: Apple, Get Realtime URL, Retention Messaging API.
  public func realtimeURL(
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<RealtimeURLResponse>? {
    try await optional(
      ServerRequest(.realtimeURL, Self.messaging + ["realtime", "url"]),
      unless: .realtimeURLNotFound, in: environment, patience: patience)
  }

  /// Removes the realtime URL.
  ///
  /// Source: Apple, Delete Realtime URL, Retention Messaging API.
  public func deleteRealtimeURL(
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try await order(
      ServerRequest(.deleteRealtimeURL, Self.messaging + ["realtime", "url"]), in: environment,
      patience: patience)
  }

  // MARK: Performance test

  /// Starts a performance test of the realtime URL, always in the Sandbox.
  ///
  /// After a connection that broke, the request is not repeated: a second test would start. The
  /// subscription is one of the Sandbox. Source: Apple, Initiate Performance Test, Retention
  /// Messaging API.
  public func initiatePerformanceTest(
    of originalTransactionID: String, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<PerformanceTestResponse> {
    let request = PerformanceTestRequest(
      originalTransactionID: try transactionID(
        originalTransactionID, .initiatePerformanceTest, field: "originalTransactionId"))
    return try await unsigned(
      ServerRequest(
        .initiatePerformanceTest, Self.messaging + ["performanceTest"], sending: request),
      in: .sandbox, patience: patience)
  }

  /// Returns the results of a performance test; ask after its total duration.
  ///
  /// Source: Apple, Get Performance Test Results, Retention Messaging API.
  public func performanceTestResults(
    _ requestID: String, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<PerformanceTestResultResponse> {
    let id = try pathPart(requestID, "requestId", .performanceTestResults)
    return try await unsigned(
      ServerRequest(
        .performanceTestResults, Self.messaging + ["performanceTest", "result", id]),
      in: .sandbox, patience: patience)
  }

  // MARK: Parts

  private func defaultMessagePath(
    _ productID: String, _ locale: String, _ endpoint: AppStoreServerEndpoint
  ) throws(AppStoreServerFailure) -> [String] {
    let product = try pathPart(productID, "productId", endpoint)
    return Self.messaging + ["default", product, try pathPart(locale, "locale", endpoint)]
  }
}
