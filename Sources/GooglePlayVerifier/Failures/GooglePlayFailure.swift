public import HTTPMessages
public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A failure of a call to the Google Play Developer API.
///
/// ``kind`` is the question that most callers ask: whether Google said something about the purchase,
/// or nothing at all. The client has already asked again what may be asked again, within its patience.
/// Source: Google Play Developer API, "Errors"; Google Play rules, section 8.
@nonexhaustive
public enum GooglePlayFailure: Error, Hashable, Sendable {
  /// The call breaks a rule; nothing was sent.
  case invalidCall(InvalidCall)
  case accessToken(AccessTokenFailure)
  /// 400: a value of the call is invalid, for example the token is not a purchase token.
  case invalidValue(GoogleError)
  /// 400 `purchaseTokenDoesNotMatchPackageName`: the purchase belongs to another app.
  case packageNameMismatch(GoogleError)
  /// 404: Google does not know the purchase, the product or the app.
  case notFound(GoogleError)
  /// 410 `purchaseTokenNoLongerValid`, `subscriptionPurchaseNoLongerAvailable`: Google forgot the
  /// purchase, a subscription 60 days after its expiry. This is final.
  case noLongerAvailable(GoogleError)
  /// 401 `authError`, also with a second access token.
  case unauthorized(GoogleError)
  /// 401 or 403 `permissionDenied`: the account lacks a permission in the Play Console. Another access
  /// token does not help.
  case permissionDenied(GoogleError)
  /// 403 `projectNotLinked`: the Google Cloud project is not linked to the Play Console.
  case projectNotLinked(GoogleError)
  /// 403 `accessNotConfigured`: the API is not enabled in the Google Cloud project.
  case accessNotConfigured(GoogleError)
  /// 403 for another reason.
  case forbidden(GoogleError)
  /// 429, or 403 `rateLimitExceeded`, `quotaExceeded` and the like: too many requests.
  case quotaExceeded(GoogleError, retryAfter: Date?)
  /// 5xx: Google failed.
  case backendError(GoogleError, retryAfter: Date?)
  /// Another status, for example a redirect, which is not followed.
  case unexpectedStatus(GoogleError)
  case notJSON
  case malformedAnswer(FieldTypeFailure)
  case transport(HTTPTransportFailure.Reason)
  /// A page names a next page that was read already.
  case pagesRepeat
  case tooManyPages(limit: Int)
  case cancelled
}

extension GooglePlayFailure {
  /// The reasons that mean too many requests.
  private static let quotaReasons: Set<String> = [
    "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded",
    "servingLimitExceeded", "concurrentLimitExceeded", "RATE_LIMIT_EXCEEDED",
  ]

  /// Creates the failure for an answer with a status other than success.
  package init(_ response: HTTPResponseMessage, at now: Date) {
    let error = GoogleError(response)
    let retryAfter = response.retryAfter(at: now)
    switch response.status.code {
    case 400 where error.has(["purchaseTokenDoesNotMatchPackageName"]):
      self = .packageNameMismatch(error)
    case 400: self = .invalidValue(error)
    case 401 where error.has(["permissionDenied"], code: "PERMISSION_DENIED"):
      self = .permissionDenied(error)
    case 401: self = .unauthorized(error)
    case 403: self = Self.forbidden(error, retryAfter: retryAfter)
    case 404: self = .notFound(error)
    case 410: self = .noLongerAvailable(error)
    case 429: self = .quotaExceeded(error, retryAfter: retryAfter)
    case 500...: self = .backendError(error, retryAfter: retryAfter)
    default: self = .unexpectedStatus(error)
    }
  }

  private static func forbidden(_ error: GoogleError, retryAfter: Date?) -> GooglePlayFailure {
    if error.has(quotaReasons, code: "RESOURCE_EXHAUSTED") {
      return .quotaExceeded(error, retryAfter: retryAfter)
    }
    if error.has(["projectNotLinked"]) { return .projectNotLinked(error) }
    if error.has(["accessNotConfigured", "SERVICE_DISABLED"]) {
      return .accessNotConfigured(error)
    }
    // The code PERMISSION_DENIED comes with every reason, so it is asked last.
    if error.has(["permissionDenied"], code: "PERMISSION_DENIED") {
      return .permissionDenied(error)
    }
    return .forbidden(error)
  }
}

/// A reason why a call breaks a rule, so that nothing was sent.
@nonexhaustive
public enum InvalidCall: Error, Hashable, Sendable {
  case empty(Member)
  /// An identifier is longer than the limit in bytes.
  case tooLong(Member, limit: Int)
  /// An identifier is `.` or `..`, which is no part of a path.
  case notPathPart(Member)
  /// A period begins before this date, which is 30 days ago.
  case startTooEarly(earliest: Date)
  /// A period ends at its start, or before it.
  case emptyPeriod
  /// The size of a page is not from 1 to 1000.
  case pageSizeOutOfRange(Int)
  case missing(Member)
  /// A member has a value that Google does not accept from a developer.
  case notAccepted(Member)
  /// A number, or the number of elements of a list, is outside of a range.
  case outOfRange(Member, allowed: ClosedRange<Int>, found: Int)
  /// A list has an element twice.
  case repeated(Member)
  /// Two members exclude each other.
  case notAllowed(Member, with: Member)

  /// An identifier in a call, or a member of a request.
  public enum Member: String, Hashable, Sendable {
    case token
    case productID

    // MARK: Subscriptions
    case cancellationType
    case deferDuration
    case etag
    case obfuscatedAccountID
    case obfuscatedProfileID

    // MARK: Orders
    case orderID
    case orderIDs
    case pendingRefundToken
    case refundPreference
    case consumptionPercentageMilliunits
    case consumptionUsageEvents
    case consumptionItemDescription
    case regionCode

    // MARK: External transactions
    case externalTransactionID
    case originalPreTaxAmount
    case originalTaxAmount
    case currentPreTaxAmount
    case currentTaxAmount
    case currency
    case transactionTime
    case transactionState
    case transactionProgramCode
    case createTime
    case packageName
    case testPurchase
    case userTaxAddress
    case oneTimeTransaction
    case recurringTransaction
    case externalTransactionToken
    case migratedTransactionProgram
    case externalSubscription
    case subscriptionType
    case otherRecurringProduct
    case externalOfferDetails
    case linkType
    case installedAppPackage
    case installedAppCategory
    case externalAppCategory
    case refundTime
    case fullRefund
    case partialRefund
    case refundID
    case refundPreTaxAmount
  }
}
