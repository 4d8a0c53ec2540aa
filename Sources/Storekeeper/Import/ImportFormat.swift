public import ReceiptModels

/// The form of a file of purchases, in UTF-8 with or without a byte-order mark.
///
/// A list has a row a line, whose values are separated by a tab or, where the line has none, by commas. Empty lines
/// are passed over.
public enum ImportFormat: Hashable, Sendable {
  /// A list of accounts and receipts in base64.
  case receipts
  /// A list of accounts and transaction IDs, and where a row has a third value the environment: `Production` or
  /// `Sandbox`.
  case transactions
  /// A list of accounts and purchase tokens of Google Play.
  case tokens
  /// A table in CSV (RFC 4180), whose first row names its columns.
  case table(ImportColumns)

  /// The maximum length of a row in bytes, 4 MiB.
  public static let maximumRowLength = 4 << 20

  /// A text that differs for any two formats, as a part of the digest of a file.
  var signature: String {
    switch self {
    case .receipts: "receipts"
    case .transactions: "transactions"
    case .tokens: "tokens"
    case .table(let columns): "table " + columns.signature
    }
  }
}

/// The columns of a table of purchases, and what their values mean.
///
/// ```swift
/// var columns = ImportColumns()
/// columns.account = ["user_id"]
/// columns.transactionID = ["original_transaction_id"]
/// ```
///
/// Where a value may stand in several columns, the first one that is not empty counts. Columns that are not named here
/// are passed over. Names of columns and values are compared byte by byte.
public struct ImportColumns: Hashable, Sendable {
  /// The columns with the account, and with other identifiers of it; see ``ImportRow/aliases``.
  public var account: [String] = ["account"]
  /// The text between several identifiers in a column of accounts; nil where each has one.
  public var accountSeparator: String?
  /// The columns of accounts that have several identifiers, where there is an ``accountSeparator``; nil for all.
  public var separatedAccounts: [String]?
  /// The beginnings of identifiers that are none of the host's accounts, and are passed over.
  public var ignoredAccountPrefixes: [String] = []
  public var receipt: [String] = []
  public var transactionID: [String] = []
  public var purchaseToken: [String] = []
  /// The column with the store; nil where the evidence tells it, as each row has that of one store.
  public var store: String?
  /// The stores by their values; a row with another value is refused.
  public var stores: [String: Vendor] = [:]
  public var environment: String?
  /// The environments by their values; an empty value leaves it open.
  public var environments: [String: AppStoreEnvironment] = [
    "Production": .production, "Sandbox": .sandbox,
  ]
  /// The column with Apple's bundle ID or Google's package name.
  public var app: String?
  /// The separator of values: an ASCII character, by default a comma.
  public var separator: UInt8 = UInt8(ascii: ",")

  /// Creates columns for the account alone; those of the evidence have to be added.
  public init() {}

  /// The columns of RevenueCat's scheduled export of transactions, as of its version 7, with commas.
  ///
  /// Anonymous identifiers count for nothing. Of Google's purchases RevenueCat's export has the numbers of orders
  /// alone, about which nobody can be asked: a host that has their tokens adds a column `purchase_token`. Rows of other
  /// stores are refused. Source: RevenueCat, "Data Export Version 7".
  public static var revenueCat: ImportColumns {
    var columns = ImportColumns()
    columns.account = ["rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "aliases"]
    columns.accountSeparator = ","
    // An identifier of one customer may have a comma.
    columns.separatedAccounts = ["aliases"]
    columns.ignoredAccountPrefixes = ["$RCAnonymousID:"]
    columns.transactionID = ["original_store_transaction_id", "store_transaction_id"]
    columns.purchaseToken = [
      "purchase_token", "original_store_transaction_id", "store_transaction_id",
    ]
    columns.store = "store"
    columns.stores = ["app_store": .apple, "mac_app_store": .apple, "play_store": .google]
    columns.environment = "is_sandbox"
    columns.environments = [
      "true": .sandbox, "t": .sandbox, "1": .sandbox, "false": .production, "f": .production,
      "0": .production,
    ]
    return columns
  }

  /// The columns of the tables `onesub_subscriptions` and `onesub_purchases` of onesub, as PostgreSQL copies them to
  /// CSV with a header.
  ///
  /// Its rows of Google's subscriptions have the purchase token as the original transaction ID. Source: onesub,
  /// `packages/server/sql/schema.sql`.
  public static var onesub: ImportColumns {
    var columns = ImportColumns()
    columns.account = ["user_id"]
    columns.transactionID = ["original_transaction_id", "transaction_id"]
    columns.purchaseToken = ["original_transaction_id", "transaction_id"]
    columns.store = "platform"
    columns.stores = ["apple": .apple, "google": .google]
    return columns
  }

  var signature: String {
    let parts: [[String]] = [
      account, [accountSeparator ?? ""], separatedAccounts ?? ["all"], ignoredAccountPrefixes,
      receipt, transactionID,
      purchaseToken, [store ?? ""], stores.map { "\($0.key)=\($0.value.rawValue)" }.sorted(),
      [environment ?? ""], environments.map { "\($0.key)=\($0.value.rawValue)" }.sorted(),
      [app ?? "", String(separator)],
    ]
    return parts.map { $0.map(\.debugDescription).joined(separator: ",") }.joined(separator: ";")
  }
}
