public import JSONValues

/// A one-time product in the Play Console, with the options to buy or rent it.
///
/// Members that this version doesn't know stay in ``json``. A member of the wrong type is refused, a missing one is
/// nil. Source: Google Play Developer API, `OneTimeProduct`.
public struct PlayOneTimeProduct: GoogleModel {
  public let json: JSONValue
  public let productID: String
  public let packageName: String?
  public let purchaseOptions: [PurchaseOption]
  /// The texts of the product, one for each language.
  public let listings: [Listing]
  /// The developer's tags, without a meaning for Google.
  public let offerTags: [OfferTag]
  /// The version of Google's list of countries that the prices follow.
  public let regionsVersion: RegionsVersion?
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
    purchaseOptions = try members.models("purchaseOptions")
    listings = try members.models("listings")
    offerTags = try members.models("offerTags")
    regionsVersion = try members.model("regionsVersion")
    restrictedPaymentCountries = try members.model("restrictedPaymentCountries")
    taxAndComplianceSettings = try members.model("taxAndComplianceSettings")
    self.json = json
  }

  /// The texts of a one-time product in a language.
  ///
  /// Source: Google Play Developer API, `OneTimeProductListing`.
  public struct Listing: GoogleModel {
    public let json: JSONValue
    /// The language (BCP 47), such as `en-US`.
    public let languageCode: String?
    public let title: String?
    public let description: String?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      languageCode = try members.text("languageCode")
      title = try members.text("title")
      description = try members.text("description")
      self.json = json
    }
  }

  /// The version of Google's list of countries.
  ///
  /// Source: Google Play Developer API, `RegionsVersion`.
  public struct RegionsVersion: GoogleModel {
    public let json: JSONValue
    /// The version, such as `2022/02`.
    public let version: String?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      version = try MemberReader(json).text("version")
      self.json = json
    }
  }
}

/// A page of one-time products.
///
/// Source: Google Play Developer API, `ListOneTimeProductsResponse`.
public struct OneTimeProductsPage: GoogleModel, PlayPage {
  public let json: JSONValue
  public let oneTimeProducts: [PlayOneTimeProduct]
  /// The token of the next page; nil on the last one.
  public let nextPageToken: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    oneTimeProducts = try members.models("oneTimeProducts")
    nextPageToken = try members.nonEmptyText("nextPageToken")
    self.json = json
  }
}
