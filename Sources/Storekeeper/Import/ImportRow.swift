public import ReceiptModels

/// A purchase in a file of another system, with the account that the file says has it.
///
/// Nothing of it is believed but who claims the purchase: a ``PurchaseImport`` asks the store about the evidence.
public struct ImportRow: Hashable, Sendable {
  /// The line of the file on which the row begins, from 1.
  public var line: Int
  public var account: AccountID
  /// Other identifiers of the same account, in the order in which they are tried where the host knows no account by
  /// the first one.
  public var aliases: [AccountID]
  public var evidence: ImportEvidence
  /// The app: Apple's bundle ID, or Google's package name; nil to ask about each app of the host.
  public var appID: String?
  /// The environment; nil to ask Production first, and then the Sandbox.
  public var environment: AppStoreEnvironment?

  /// Creates a row.
  public init(
    line: Int, account: AccountID, aliases: [AccountID] = [], evidence: ImportEvidence,
    appID: String? = nil, environment: AppStoreEnvironment? = nil
  ) {
    self.line = line
    self.account = account
    self.aliases = aliases
    self.evidence = evidence
    self.appID = appID
    self.environment = environment
  }
}

extension ImportRow: CustomStringConvertible, CustomReflectable {
  /// The line and the kind of evidence, never the account or the evidence.
  public var description: String { "line \(line), \(evidence)" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The evidence of a purchase in a file, about which its store can be asked.
public enum ImportEvidence: Hashable, Sendable {
  /// An app receipt in base64, about which verifyReceipt is asked.
  case receipt(String)
  /// Any transaction ID or original transaction ID of a customer, about whom the App Store Server API is asked.
  case transactionID(String)
  /// A purchase token of Google Play, of a subscription or of one-time products.
  case purchaseToken(String)

  public var vendor: Vendor {
    if case .purchaseToken = self { .google } else { .apple }
  }
}

extension ImportEvidence: CustomStringConvertible, CustomReflectable {
  /// The kind, never the evidence.
  public var description: String {
    switch self {
    case .receipt: "a receipt"
    case .transactionID: "a transaction ID"
    case .purchaseToken: "a purchase token"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why a row of a file cannot be read, with its place.
///
/// The description has the form `line 3, column 14: expected a receipt in base64`. It quotes no values of the file.
public struct ImportFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The byte of the line at which the text at fault begins, from 1.
  public var column: Int
  public var problem: Problem

  /// Creates a fault.
  public init(line: Int, column: Int, problem: Problem) {
    self.line = line
    self.column = column
    self.problem = problem
  }

  public var description: String { "line \(line), column \(column): \(problem)" }

  /// A problem of a row.
  @nonexhaustive
  public enum Problem: Hashable, Sendable {
    /// A value is missing.
    case missing(Value)
    /// The row has more values than its kind of file has.
    case tooManyValues
    case account(AccountFailure)
    case notBase64
    /// A transaction ID has not 1 to 64 digits.
    case notATransactionID
    /// A purchase token is no visible ASCII, or has more than 4,096 bytes.
    case notAPurchaseToken
    /// The text is the number of an order at Google, about which nobody can be asked.
    case orderNumber
    /// The environment is none that the file is said to have.
    case unknownEnvironment
    /// The store is none that the file is said to have.
    case unknownStore
    case notUTF8
    /// The row is longer than this number of bytes.
    case tooLong(limit: Int)
    /// A quotation mark stands within a text that has none around it.
    case strayQuote
    /// Another text than a separator follows a closing quotation mark.
    case textAfterQuote
    /// The file ends within quotation marks, which begin here.
    case openQuote
    /// The first row names none of the columns that have this value.
    case columnMissing(Value)
    /// The first row names a column twice.
    case columnTwice
  }

  /// A value of a row.
  public enum Value: String, Hashable, Sendable {
    case account
    case evidence
    case store
  }
}

extension ImportFault.Problem: CustomStringConvertible {
  /// The sentence without a capital and a full stop, such as `expected an account`.
  public var description: String {
    switch self {
    case .missing(.account): "expected an account"
    case .missing(.evidence):
      "expected a receipt, a transaction ID or a purchase token, which the store can be asked about"
    case .missing(.store): "expected a store"
    case .tooManyValues: "expected no more values"
    case .account(.missing): "expected an account"
    case .account: "expected an account of at most 128 bytes without a zero byte"
    case .notBase64: "expected a receipt in base64"
    case .notATransactionID: "expected a transaction ID of 1 to 64 digits"
    case .notAPurchaseToken: "expected a purchase token"
    case .orderNumber: "expected a purchase token, not the number of an order"
    case .unknownEnvironment: "expected an environment of the mapping"
    case .unknownStore: "expected a store of the mapping"
    case .notUTF8: "expected UTF-8"
    case .tooLong(let limit): "expected a row of at most \(limit) bytes"
    case .strayQuote: "expected quotation marks around the whole value"
    case .textAfterQuote: "expected a separator after the closing quotation mark"
    case .openQuote: "expected a closing quotation mark"
    case .columnMissing(let value): "expected a column for the \(value.rawValue)"
    case .columnTwice: "expected each column once"
    }
  }
}
