internal import StorekeeperCrypto
public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that Google Cloud Pub/Sub delivers by an HTTP request.
///
/// Reading the body proves nothing: check the bearer token of the request with a
/// ``PushTokenVerifier`` first. Pub/Sub delivers a message at least once, so tell repetitions by
/// ``messageID``. It delivers again after every status but 102, 200, 201, 202 and 204: answer a body
/// that will never be readable with 204. Source: Google Cloud, "Push subscriptions".
public struct PubSubPush: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The name of the subscription, such as `projects/reader/subscriptions/play`.
  public let subscription: String
  /// The ID of the message, which stays the same when it is delivered again.
  public let messageID: String
  /// The time at which Pub/Sub received the message.
  public let publishTime: Date?
  public let attributes: [String: String]
  public let data: [UInt8]

  /// The maximum size of a body in bytes.
  public static let maximumSize = 1 << 20

  /// Reads the body of a request.
  public init(parsing body: [UInt8]) throws(PubSubPushFailure) {
    guard body.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
    let json: JSONValue
    do { json = try JSONValue(parsing: body) } catch { throw .notJSON }
    do throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      subscription = try members.requiredText("subscription")
      let message: PushedMessage = try members.required(
        "message", .object, members.model("message"))
      messageID = message.messageID
      publishTime = message.publishTime
      attributes = message.attributes
      data = message.data
    } catch {
      throw .malformed(error)
    }
  }

  /// Reads the content as a notification of Google Play.
  public func notification() throws(DeveloperNotificationFailure) -> DeveloperNotification {
    try DeveloperNotification(parsing: data)
  }

  /// The ID of the message and the size of its content.
  public var description: String { "PubSubPush(\(messageID), \(data.count) bytes)" }

  /// A mirror with the parts of ``description``, and the subscription.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "subscription": subscription, "messageID": messageID, "dataCount": data.count,
      ])
  }
}

/// A reason why a body is not a message of Pub/Sub.
@nonexhaustive
public enum PubSubPushFailure: Error, Hashable, Sendable {
  /// The body is larger than the limit in bytes.
  case tooLarge(limit: Int)
  /// The body is not JSON, or is nested too deeply.
  case notJSON
  /// A member is missing or has the wrong type; the content, if it is not base64.
  case malformed(FieldTypeFailure)
}

/// The member `message`.
///
/// Pub/Sub writes some members twice, as `messageId` and `message_id`; the first form is read.
private struct PushedMessage: GoogleModel {
  let json: JSONValue
  let messageID: String
  let publishTime: Date?
  let attributes: [String: String]
  let data: [UInt8]

  init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    messageID = try members.requiredText("messageId")
    publishTime = try members.time("publishTime")
    attributes = try Self.texts(in: members["attributes"])
    let text = try members.required("data", .string, members.text("data"))
    guard let data = Base64.decode(Array(text.utf8)[...], .standard) else {
      throw FieldTypeFailure(path: "data", expected: .string, found: .string)
    }
    self.data = data
    self.json = json
  }

  private static func texts(in json: JSONValue?) throws(FieldTypeFailure) -> [String: String] {
    guard let json else { return [:] }
    guard case .object(let members) = json else {
      throw FieldTypeFailure(path: "attributes", expected: .object, found: json.kind)
    }
    var texts: [String: String] = [:]
    for (name, value) in members {
      guard case .string(let text) = value else {
        // The name is the sender's own, so the path leaves it out.
        throw FieldTypeFailure(path: "attributes", expected: .string, found: value.kind)
      }
      texts[name] = text
    }
    return texts
  }
}
