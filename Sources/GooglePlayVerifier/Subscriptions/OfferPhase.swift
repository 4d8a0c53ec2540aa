public import JSONValues
public import ReceiptModels

/// The part of a plan or an offer that an item is in.
///
/// Source: Google Play Developer API, `OfferPhase`.
public struct OfferPhase: GoogleModel {
  public let json: JSONValue
  /// The kind of phase; nil for one that this version does not know.
  public let kind: Kind?

  /// A kind of phase.
  public enum Kind: Hashable, Sendable {
    /// The price of the base plan.
    case basePrice
    case freeTrial
    case introductoryPrice
    /// Time that a change of plan credited, or that brings an add-on to the end of the base item's period.
    ///
    /// The original phase is that of an offer which the time belongs to; nil if it is of none.
    case prorationPeriod(original: OriginalOfferPhaseType?)
  }

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    let isBasePrice = try members.hasObject("basePrice")
    let isFreeTrial = try members.hasObject("freeTrial")
    let isIntroductoryPrice = try members.hasObject("introductoryPrice")
    let proration: ProrationPeriodOfferPhase? = try members.model("prorationPeriod")
    if let proration {
      kind = .prorationPeriod(original: proration.originalOfferPhaseType)
    } else if isFreeTrial {
      kind = .freeTrial
    } else if isIntroductoryPrice {
      kind = .introductoryPrice
    } else {
      kind = isBasePrice ? .basePrice : nil
    }
    self.json = json
  }

  /// The phase that a period of proration belongs to.
  public struct OriginalOfferPhaseType: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "ORIGINAL_OFFER_PHASE_TYPE_UNSPECIFIED")
    public static let base = Self(rawValue: "BASE")
    public static let introductory = Self(rawValue: "INTRODUCTORY")
    public static let freeTrial = Self(rawValue: "FREE_TRIAL")

    public static let allCases: [Self] = [unspecified, base, introductory, freeTrial]
  }
}

/// A period of proration.
package struct ProrationPeriodOfferPhase: GoogleModel {
  package let json: JSONValue
  package let originalOfferPhaseType: OfferPhase.OriginalOfferPhaseType?

  package init(json: JSONValue) throws(FieldTypeFailure) {
    originalOfferPhaseType = try MemberReader(json).value("originalOfferPhaseType")
    self.json = json
  }
}

/// The promotion code with which a user signed up.
///
/// Source: Google Play Developer API, `SignupPromotion`.
public struct SignupPromotion: GoogleModel {
  public let json: JSONValue
  /// The kind of code; nil for one that this version does not know.
  public let kind: Kind?

  /// A kind of code.
  public enum Kind: Hashable, Sendable {
    /// A code that works once.
    case oneTimeCode
    /// A code that many users can enter.
    case vanityCode(promotionCode: String?)
  }

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    let isOneTime = try members.hasObject("oneTimeCode")
    let vanity: VanityCode? = try members.model("vanityCode")
    if let vanity {
      kind = .vanityCode(promotionCode: vanity.promotionCode)
    } else {
      kind = isOneTime ? .oneTimeCode : nil
    }
    self.json = json
  }
}

/// A promotion code that many users can enter.
private struct VanityCode: GoogleModel {
  let json: JSONValue
  let promotionCode: String?

  init(json: JSONValue) throws(FieldTypeFailure) {
    promotionCode = try MemberReader(json).text("promotionCode")
    self.json = json
  }
}
