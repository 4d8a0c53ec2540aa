public import JWSVerifier
public import ReceiptModels

/// An answerer of Apple's realtime requests: the host's choice of what a customer sees who is about
/// to cancel a subscription.
///
/// ```swift
/// struct WinBack: RetentionMessageAnswerer {
///   func answer(to request: Verified<RealtimeRequest>) async throws -> RealtimeResponse? {
///     guard request.payload.productID == "reader.yearly" else { return nil }
///     return .alternateProduct(messageIdentifier: stayMonthly, productID: "reader.monthly")
///   }
/// }
/// ```
///
/// Apple waits 700 milliseconds in all, so look up what is at hand and compute the rest beforehand.
public protocol RetentionMessageAnswerer: Sendable {
  /// Returns the answer to a request, or nil for Apple's default message.
  ///
  /// The method is called at most once for each request that arrives, but Apple may ask again about
  /// the same customer, and any number of calls may run at once. The calling task is cancelled when
  /// the time is up; an answer that comes later is discarded.
  ///
  /// - Parameter request: The verified request. A request from Production belongs to one of the
  ///   verifier's apps. A request from the Sandbox may belong to any app, because Apple's number is
  ///   compared in Production only.
  /// - Returns: The answer, or nil for Apple's default message.
  /// - Throws: Any error; Apple then shows the default message.
  func answer(to request: Verified<RealtimeRequest>) async throws -> RealtimeResponse?
}
