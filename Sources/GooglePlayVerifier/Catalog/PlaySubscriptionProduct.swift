public import JSONValues

/// A subscription product in the Play Console, with its base plans.
///
/// Members that this version doesn't know stay in ``json``. A member of the wrong type is refused, a missing one is
/// nil. Source: Google Play Developer API, `Subscription`.
public struct PlaySubscriptionProduct: GoogleModel {
  public let json: JSONValue
  public let productID: String
  public let packageName: String?
  public let basePlans: [BasePlan]
  /// The texts of the product, one for each language.
  public let listings: [Listing]
  /// Whether the product was archived, which Google no longer allows; it cannot be bought.
  public let isArchived: Bool
  /// The countries whose means of payment are the only ones that buy it; nil for all.
  public let restrictedPaymentCountries: RestrictedPaymentCountries?
  public let taxAndComplianceSettings: TaxAndComplianceSettings?

  /// Creates the value from its JSON form.
  ///
  /// - Throws: `FieldTypeFailure`; only the product's identifier is required.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    productID = try members.requiredText("productId")
    packageName = try members.text("packageName")
    basePlans = try members.models("basePlans")
    listings = try members.models("listings")
    isArchived = try members.flag("archived") ?? false
    restrictedPaymentCountries = try members.model("restrictedPaymentCountries")
    taxAndComplianceSettings = try members.model("taxAndComplianceSettings")
    self.json = json
  }

  /// The texts of a subscription product in a language.
  ///
  /// Source: Google Play Developer API, `SubscriptionListing`.
  public struct Listing: GoogleModel {
    public let json: JSONValue
    /// The language (BCP 47), such as `en-US`.
    public let languageCode: String?
    public let title: String?
    public let description: String?
    public let benefits: [String]

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      languageCode = try members.text("languageCode")
      title = try members.text("title")
      description = try members.text("description")
      benefits = try members.texts("benefits")
      self.json = json
    }
  }
}

/// A page of subscription products.
///
/// Source: Google Play Developer API, `ListSubscriptionsResponse`.
public struct SubscriptionProductsPage: GoogleModel, PlayPage {
  public let json: JSONValue
  public let subscriptions: [PlaySubscriptionProduct]
  /// The token of the next page; nil on the last one.
  public let nextPageToken: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    subscriptions = try members.models("subscriptions")
    nextPageToken = try members.nonEmptyText("nextPageToken")
    self.json = json
  }
}
