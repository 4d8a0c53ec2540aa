public import ReceiptModels

/// A code of an error answer; a code that this version doesn't know is kept.
///
/// The first three digits are the HTTP status. Source: Apple, "Error codes", App Store Server API
/// and Advanced Commerce API.
public struct AppStoreServerErrorCode: IntegerVocabulary {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Apple's name without the ending "Error", such as `TransactionIdNotFound`; nil for a number
  /// whose name is unknown here.
  public var name: String? { Self.names[rawValue] }

  public static let generalBadRequest = Self(rawValue: 4_000_000)
  /// The revision is not one that Apple gave, or no longer valid.
  public static let invalidRequestRevision = Self(rawValue: 4_000_005)
  public static let invalidTransactionID = Self(rawValue: 4_000_006)
  /// The pagination token is not one that Apple gave.
  public static let invalidPaginationToken = Self(rawValue: 4_000_014)
  public static let paginationTokenExpired = Self(rawValue: 4_000_017)
  /// The request reference of Advanced Commerce was used before.
  public static let repeatedRequestReferenceID = Self(rawValue: 4_000_097)
  public static let accountNotFoundRetryable = Self(rawValue: 4_040_002)
  public static let appNotFoundRetryable = Self(rawValue: 4_040_004)
  public static let originalTransactionIDNotFoundRetryable = Self(rawValue: 4_040_006)
  /// No URL for notifications is configured for the environment.
  public static let serverNotificationURLNotFound = Self(rawValue: 4_040_007)
  /// The test notification is not there yet, or the token is unknown.
  public static let testNotificationNotFound = Self(rawValue: 4_040_008)
  /// The transaction is unknown in the environment that was asked.
  public static let transactionIDNotFound = Self(rawValue: 4_040_010)
  public static let defaultMessageNotFound = Self(rawValue: 4_040_020)
  public static let realtimeURLNotFound = Self(rawValue: 4_040_021)
  public static let rateLimitExceeded = Self(rawValue: 4_290_000)
  public static let generalInternal = Self(rawValue: 5_000_000)
  public static let generalInternalRetryable = Self(rawValue: 5_000_001)

  /// The codes that Apple documents, in ascending order.
  public static let allCases: [AppStoreServerErrorCode] = (Array(names.keys) + unnamed).sorted()
    .map { AppStoreServerErrorCode(rawValue: $0) }

  /// Whether Apple documents that a retry may help.
  var isPassing: Bool {
    switch self {
    case .accountNotFoundRetryable, .appNotFoundRetryable,
      .originalTransactionIDNotFoundRetryable, .generalInternalRetryable:
      true
    default: false
    }
  }

  /// Whether the pages have to be read from the first one again.
  var startsOver: Bool {
    switch self {
    case .invalidRequestRevision, .invalidPaginationToken, .paginationTokenExpired: true
    default: false
    }
  }
}
