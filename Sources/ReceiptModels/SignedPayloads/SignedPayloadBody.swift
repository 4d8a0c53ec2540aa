public import JSONValues

/// The body of a request that Apple sends to the server.
///
/// Both server notifications of version 2 and realtime requests come in it. The text inside is not
/// verified by reading it.
///
/// Source: Apple, `responseBodyV2` and `RealtimeRequestBody`.
public struct SignedPayloadBody: FieldModel {
  /// The payload, as a signed token.
  public var signedPayload: String = ""

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A body that carries the token.
  public init(signedPayload: String) {
    self.signedPayload = signedPayload
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("signedPayload", &signedPayload)
  }
}
