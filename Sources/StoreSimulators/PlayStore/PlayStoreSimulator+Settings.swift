internal import ReceiptModels

extension PlayStoreSimulator {
  /// The settings of a simulated Play store.
  public struct Settings: Hashable, Sendable {
    /// The time for acknowledging a purchase; a prepaid plan of less than a week has half of its period.
    public var acknowledgementPeriod: Duration = .days(3)
    /// The time that a license tester's purchase has for that.
    public var testAcknowledgementPeriod: Duration = .seconds(3 * 60)
    /// The time after its end for which a subscription can be asked for; after it the answer is 410.
    public var availability: Duration = .days(60)
    /// The time for which a replaced purchase still looks as it did before, beside the one in its place; none by
    /// default.
    public var replacementLag: Duration = .zero
    /// The number of decimals in the seconds of times, from 0 to 9.
    public var fractionDigits = 3
    /// Whether the time of a notification is a number, rather than a text with one.
    public var writesEventTimeAsNumber = false
    /// The status of an answer without a body: Google answers 204 or 200.
    public var emptyAnswer: EmptyAnswer = .noContent
    /// Whether requests beyond Google's quotas are refused.
    public var limitsRequests = false
    /// The number of requests a minute for each kind of purchase.
    public var requestsPerMinute = 3000
    /// The number of requests for voided purchases in half a minute.
    public var voidedRequestsPerHalfMinute = 30
    /// The number of requests for voided purchases a day.
    public var voidedRequestsPerDay = 6000

    /// Creates the settings of a new simulator.
    public init() {}

    /// A status of an answer without a body.
    public enum EmptyAnswer: Hashable, Sendable {
      /// 204, without a body.
      case noContent
      case emptyObject
    }
  }
}
