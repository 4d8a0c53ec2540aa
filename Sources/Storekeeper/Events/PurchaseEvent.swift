public import JSONValues
package import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An event that tells a host of a change: what happened, to whose account, and the values after it.
///
/// It was written in the unit of work that made the change. The same event is read from an ``EventLog``, and sent by a
/// ``WebhookSender`` as its ``body``. The table of types, with the fields of each, is in the guide "Being told".
public struct PurchaseEvent: Hashable, Sendable {
  /// The type of an event; later versions have further ones.
  public struct Kind: StringVocabulary {
    public var rawValue: String
    /// Creates a type of any text.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The version of the fields that this version of the package writes.
  ///
  /// A later one adds fields, and takes none away.
  public static let currentVersion = 1

  /// The identifier, the same in every copy: `evt_` and 32 hexadecimal digits.
  public var id: String
  public var kind: Kind
  /// The version of the fields.
  public var version: Int
  /// The account that the event is about; nil if it is about none that is known.
  public var account: AccountID?
  /// The date of the change, in milliseconds.
  public var date: Date
  public var details: Details
  /// The place in the order of all events, from which a reader goes on; nil for an event that was received.
  public var position: Int?

  /// The fields of an event, by what it is about.
  @nonexhaustive
  public enum Details: Hashable, Sendable {
    case membership(MembershipChange)
    case purchase(PurchaseChange)
    case move(PurchaseMove)
    case credits(CreditChange)
    case entitlement(EntitlementChange)
    case order(OrderChange)
    case dispute(ClaimDispute)
    case notice(StoreNotice)
    case notification(UnreadNotification)
    case erasure(ErasureNotice)
    /// The fields of an event that this version of the package does not know.
    case other([String: JSONValue])
  }

  /// Creates an event.
  public init(
    id: String, kind: Kind, account: AccountID?, date: Date, details: Details,
    position: Int? = nil
  ) {
    self.id = id
    self.kind = kind
    version = Self.currentVersion
    self.account = account
    self.date = date
    self.details = details
    self.position = position
  }
}

extension PurchaseEvent {
  /// The members of `data` in a webhook: the fields, with the identifier, the version and the account.
  public var data: JSONValue {
    var members = details.members
    members["id"] = .string(id)
    members["version"] = .integer(version)
    members["account"] = account.map { .string($0.rawValue) } ?? .null
    return .object(members)
  }

  /// The body of a webhook: an object of `type`, `timestamp` and `data`.
  ///
  /// Source: Standard Webhooks 1.0, "Payload structure".
  public var body: [UInt8] { Self.body(of: kind.rawValue, date, data) }

  fileprivate static func body(of type: String, _ date: Date, _ data: JSONValue) -> [UInt8] {
    JSONValue.object([
      "type": .string(type), "timestamp": EventFields.json(date), "data": data,
    ]).serialized
  }

  /// Reads the body of a webhook, whose signature was verified.
  ///
  /// - Throws: ``PurchaseEventFailure``.
  public init(parsing body: [UInt8]) throws(PurchaseEventFailure) {
    let json: JSONValue
    do throws(JSONValue.SyntaxFailure) { json = try JSONValue(parsing: body) } catch {
      throw .notJSON
    }
    guard case .string(let type)? = json["type"] else { throw .fieldMissing("type") }
    guard let date = EventFields.date(json["timestamp"]) else { throw .fieldMissing("timestamp") }
    guard case .object(let data)? = json["data"] else { throw .fieldMissing("data") }
    try self.init(type: type, date: date, data: data)
  }

  init(type: String, date: Date, data: [String: JSONValue]) throws(PurchaseEventFailure) {
    let fields = EventFields(data)
    guard let id = fields.text("id") else { throw .fieldMissing("data.id") }
    guard let version = fields.integer("version") else { throw .fieldMissing("data.version") }
    self.id = id
    kind = Kind(rawValue: type)
    self.version = version
    account = fields.text("account").map(AccountID.init(stored:))
    self.date = date
    details = Details(fields, of: kind)
  }

  /// Reads a stored event.
  ///
  /// - Throws: ``PurchaseEventFailure``.
  init(_ stored: OrderedEvent) throws(PurchaseEventFailure) {
    let json: JSONValue
    do throws(JSONValue.SyntaxFailure) {
      json = try JSONValue(parsing: Array(stored.event.data.utf8))
    } catch {
      throw .notJSON
    }
    guard case .object(let data) = json else { throw .fieldMissing("data") }
    try self.init(type: stored.event.type, date: stored.event.date, data: data)
    position = stored.position
  }

  /// The event as it is stored.
  package var record: EventRecord {
    EventRecord(
      id: id, type: kind.rawValue, account: account, date: date,
      data: String(decoding: data.serialized, as: UTF8.self))
  }
}

extension EventRecord {
  /// The body of a webhook, with every field that is stored, also those of a later version; nil if the fields are no
  /// JSON.
  var body: [UInt8]? {
    do throws(JSONValue.SyntaxFailure) {
      return PurchaseEvent.body(of: type, date, try JSONValue(parsing: Array(data.utf8)))
    } catch {
      return nil
    }
  }
}

/// The reason why a text is no event.
@nonexhaustive
public enum PurchaseEventFailure: Error, Hashable, Sendable {
  case notJSON
  /// A field that every event has is missing, or has another type; the value is its path.
  case fieldMissing(String)
}
