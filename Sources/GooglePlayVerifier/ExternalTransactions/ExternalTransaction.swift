public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A payment outside of Google's billing, which the developer reports to Google.
///
/// To report one, create it with what Google needs. The members that only Google writes are nil then: a report that
/// has one is refused before it is sent. Source: Google Play Developer API, `ExternalTransaction`.
public struct ExternalTransaction: CheckedPlayRequest {
  // MARK: Payment

  /// The amount before tax, and before refunds.
  public var originalPreTaxAmount: Price?
  /// The tax, before refunds.
  public var originalTaxAmount: Price?
  /// The time at which the payment was complete.
  public var transactionTime: Date?
  /// The user's address for taxes.
  public var userTaxAddress: ExternalTransactionAddress?
  /// The payment of a one-time product; nil for one of a series.
  public var oneTimeTransaction: OneTimeExternalTransaction?
  /// The payment of a series, such as a subscription; nil for a one-time product.
  public var recurringTransaction: RecurringExternalTransaction?

  // MARK: Programs

  /// Google's number for a program of partners; not for external offers.
  public var transactionProgramCode: Int?
  /// The terms of the external offers program.
  public var externalOfferDetails: ExternalOfferDetails?
  /// The terms of the program for external content links.
  public var externalContentLinkDetails: ExternalContentLinkDetails?

  // MARK: Google's answer

  public var externalTransactionID: String?
  public var packageName: String?
  /// The time at which Google was told.
  public var createTime: Date?
  public var transactionState: TransactionState?
  /// The amount before tax that refunds have left.
  public var currentPreTaxAmount: Price?
  /// The tax that refunds have left.
  public var currentTaxAmount: Price?
  /// Whether a license tester paid, so that Google asks for no fee.
  public var isTest = false
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a report of the payment of a one-time product.
  ///
  /// The token is that of the billing dialog in the app.
  public init(
    oneTime externalTransactionToken: String, preTaxAmount: Price, taxAmount: Price, at date: Date,
    userTaxAddress: ExternalTransactionAddress
  ) {
    self.init(preTaxAmount, taxAmount, date, userTaxAddress)
    var transaction = OneTimeExternalTransaction()
    transaction.externalTransactionToken = externalTransactionToken
    oneTimeTransaction = transaction
  }

  /// Creates a report of a payment of a series.
  public init(
    recurring transaction: RecurringExternalTransaction, preTaxAmount: Price, taxAmount: Price,
    at date: Date, userTaxAddress: ExternalTransactionAddress
  ) {
    self.init(preTaxAmount, taxAmount, date, userTaxAddress)
    recurringTransaction = transaction
  }

  private init(
    _ preTaxAmount: Price, _ taxAmount: Price, _ date: Date, _ address: ExternalTransactionAddress
  ) {
    originalPreTaxAmount = preTaxAmount
    originalTaxAmount = taxAmount
    transactionTime = date
    userTaxAddress = address
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("originalPreTaxAmount", &originalPreTaxAmount)
    try coder("originalTaxAmount", &originalTaxAmount)
    try coder.time("transactionTime", &transactionTime)
    try coder("userTaxAddress", &userTaxAddress)
    try coder("oneTimeTransaction", &oneTimeTransaction)
    try coder("recurringTransaction", &recurringTransaction)

    try coder("transactionProgramCode", &transactionProgramCode)
    try coder("externalOfferDetails", &externalOfferDetails)
    try coder("externalContentLinkDetails", &externalContentLinkDetails)

    try coder("externalTransactionId", &externalTransactionID)
    try coder("packageName", &packageName)
    try coder.time("createTime", &createTime)
    try coder("transactionState", &transactionState)
    try coder("currentPreTaxAmount", &currentPreTaxAmount)
    try coder("currentTaxAmount", &currentTaxAmount)
    try coder.mark("testPurchase", &isTest)
  }

  /// The state of a payment.
  public struct TransactionState: StringVocabulary, FieldValue {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "TRANSACTION_STATE_UNSPECIFIED")
    public static let reported = Self(rawValue: "TRANSACTION_REPORTED")
    /// The whole amount was refunded.
    public static let canceled = Self(rawValue: "TRANSACTION_CANCELED")

    public static let allCases: [Self] = [unspecified, reported, canceled]
  }
}

// MARK: The rules of a report

extension ExternalTransaction {
  /// Checks a report: what has to be there, what only Google writes, and what goes together.
  public func validate() throws(InvalidCall) {
    try checkPayment()
    try checkKind()
    try checkPrograms()
    try PlayRequestCheck.absent(externalTransactionID, .externalTransactionID)
    try PlayRequestCheck.absent(packageName, .packageName)
    try PlayRequestCheck.absent(createTime, .createTime)
    try PlayRequestCheck.absent(transactionState, .transactionState)
    try PlayRequestCheck.absent(currentPreTaxAmount, .currentPreTaxAmount)
    try PlayRequestCheck.absent(currentTaxAmount, .currentTaxAmount)
    try PlayRequestCheck.absent(isTest ? isTest : nil, .testPurchase)
  }

  private func checkPayment() throws(InvalidCall) {
    try PlayRequestCheck.required(originalPreTaxAmount, .originalPreTaxAmount)
      .validate(.originalPreTaxAmount)
    try PlayRequestCheck.required(originalTaxAmount, .originalTaxAmount)
      .validate(.originalTaxAmount)
    try PlayRequestCheck.required(transactionTime, .transactionTime)
    let address = try PlayRequestCheck.required(userTaxAddress, .userTaxAddress)
    try PlayRequestCheck.code(address.regionCode, letters: 2, .regionCode)
  }

  private func checkKind() throws(InvalidCall) {
    switch (oneTimeTransaction, recurringTransaction) {
    case (nil, nil): throw .missing(.oneTimeTransaction)
    case (_?, _?): throw .notAllowed(.oneTimeTransaction, with: .recurringTransaction)
    case (let single?, nil):
      try PlayRequestCheck.text(single.externalTransactionToken, .externalTransactionToken)
    case (nil, let series?):
      // The first payment has the token, each further one names the first.
      guard series.externalTransactionToken != nil || series.initialExternalTransactionID != nil
      else { throw .missing(.externalTransactionToken) }
      try PlayRequestCheck.known(series.migratedTransactionProgram, .migratedTransactionProgram)
      try PlayRequestCheck.known(
        series.externalSubscription?.subscriptionType, .subscriptionType)
      guard series.externalSubscription == nil || !series.isOtherRecurringProduct else {
        throw .notAllowed(.externalSubscription, with: .otherRecurringProduct)
      }
    }
  }

  private func checkPrograms() throws(InvalidCall) {
    if let offer = externalOfferDetails {
      guard transactionProgramCode == nil else {
        throw .notAllowed(.transactionProgramCode, with: .externalOfferDetails)
      }
      try PlayRequestCheck.known(offer.linkType, .linkType)
      try PlayRequestCheck.known(offer.installedAppCategory, .installedAppCategory)
      if offer.linkType == .linkToAppDownload {
        try PlayRequestCheck.text(offer.installedAppPackage, .installedAppPackage)
        try PlayRequestCheck.required(offer.installedAppCategory, .installedAppCategory)
      }
    }
    if let link = externalContentLinkDetails {
      try PlayRequestCheck.known(link.linkType, .linkType)
      try PlayRequestCheck.known(link.externalAppCategory, .externalAppCategory)
      if try PlayRequestCheck.required(link.linkType, .linkType) == .linkToAppDownload {
        try PlayRequestCheck.text(link.installedAppPackage, .installedAppPackage)
        try PlayRequestCheck.required(link.externalAppCategory, .externalAppCategory)
      }
    }
  }
}
