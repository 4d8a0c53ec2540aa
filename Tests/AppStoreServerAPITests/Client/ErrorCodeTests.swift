import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

/// The codes of the App Store Server API rules, section 3.2.
@Suite("Error codes") struct ErrorCodeTests {
  /// The names by code; those of the Advanced Commerce API are in another table.
  static let names: [(code: Int, name: String)] = [
    (4_000_000, "GeneralBadRequest"), (4_000_002, "InvalidAppIdentifier"),
    (4_040_003, "AppNotFound"), (4_040_004, "AppNotFoundRetryable"), (4_000_004, "InvalidLimit"),
    (4_000_225, "InvalidGroupId"), (4_040_022, "GroupNotFound"),
    (4_000_005, "InvalidRequestRevision"), (4_000_014, "InvalidPaginationToken"),
    (4_000_017, "PaginationTokenExpired"), (4_000_006, "InvalidTransactionId"),
    (4_000_008, "InvalidOriginalTransactionId"),
    (4_000_187, "TransactionIdIsNotOriginalTransactionId"),
    (4_000_048, "AppTransactionIdNotSupported"), (4_000_009, "InvalidExtendByDays"),
    (4_000_010, "InvalidExtendReasonCode"), (4_000_011, "InvalidRequestIdentifier"),
    (4_000_012, "StartDateTooFarInPast"), (4_000_013, "StartDateAfterEndDate"),
    (4_000_015, "InvalidStartDate"), (4_000_016, "InvalidEndDate"),
    (4_000_018, "InvalidNotificationType"), (4_000_019, "MultipleFiltersSupplied"),
    (4_000_020, "InvalidTestNotificationToken"), (4_000_021, "InvalidSort"),
    (4_000_022, "InvalidProductType"), (4_000_023, "InvalidProductId"),
    (4_000_024, "InvalidSubscriptionGroupIdentifier"), (4_000_025, "InvalidExcludeRevoked"),
    (4_000_026, "InvalidInAppOwnershipType"), (4_000_030, "InvalidRevoked"),
    (4_000_031, "InvalidStatus"), (4_000_027, "InvalidEmptyStorefrontCountryCodeList"),
    (4_000_028, "InvalidStorefrontCountryCode"), (4_000_032, "InvalidAccountTenure"),
    (4_000_033, "InvalidAppAccountToken"), (4_000_034, "InvalidConsumptionStatus"),
    (4_000_036, "InvalidDeliveryStatus"), (4_000_037, "InvalidLifetimeDollarsPurchased"),
    (4_000_038, "InvalidLifetimeDollarsRefunded"), (4_000_039, "InvalidPlatform"),
    (4_000_040, "InvalidPlayTime"), (4_000_041, "InvalidSampleContentProvided"),
    (4_000_042, "InvalidUserStatus"), (4_000_044, "InvalidRefundPreference"),
    (4_000_035, "InvalidCustomerConsented"), (4_000_043, "InvalidTransactionNotConsumable"),
    (4_000_047, "InvalidTransactionTypeNotSupported"),
    (4_000_209, "ConsumptionPercentageAutoRenewableSubscription"),
    (4_000_183, "InvalidAppAccountTokenUUID"), (4_000_185, "FamilyTransactionNotSupported"),
    (4_000_227, "InvalidAssignedTransactionNotSupported"), (4_000_161, "InvalidImage"),
    (4_000_162, "HeaderTooLong"), (4_000_163, "BodyTooLong"), (4_000_164, "InvalidLocale"),
    (4_000_175, "AltTextTooLong"), (4_000_215, "BadRequestRealtimeUrl"),
    (4_000_216, "BadRequestImageSize"), (4_000_218, "BadRequestTooManyBulletPoints"),
    (4_000_219, "BadRequestBulletPointTextTooLong"),
    (4_000_224, "BadRequestAboveImageRequiresAnImage"),
    (4_000_211, "InvalidPerformanceTestRequest"), (4_000_212, "InvalidRequestId"),
    (4_000_213, "ExistingPerformanceTestRun"), (4_040_018, "PerformanceTestRunNotFound"),
    (4_030_004, "SubscriptionExtensionIneligible"), (4_030_005, "SubscriptionMaxExtension"),
    (4_030_007, "FamilySharedSubscriptionExtensionIneligible"),
    (4_030_028, "AssignedSubscriptionExtensionIneligible"),
    (4_030_014, "MaximumNumberOfImagesReached"), (4_030_016, "MaximumNumberOfMessagesReached"),
    (4_030_019, "ImageInUse"), (4_030_017, "MessageNotApproved"), (4_030_018, "ImageNotApproved"),
    (4_030_026, "ForbiddenNoPassingTest"), (4_040_001, "AccountNotFound"),
    (4_040_002, "AccountNotFoundRetryable"), (4_040_005, "OriginalTransactionIdNotFound"),
    (4_040_006, "OriginalTransactionIdNotFoundRetryable"),
    (4_040_007, "ServerNotificationURLNotFound"), (4_040_008, "TestNotificationNotFound"),
    (4_040_009, "StatusRequestNotFound"), (4_040_010, "TransactionIdNotFound"),
    (4_040_019, "AppTransactionDoesNotExist"), (4_040_014, "ImageNotFound"),
    (4_040_015, "MessageNotFound"), (4_040_020, "DefaultMessageNotFound"),
    (4_040_021, "RealtimeUrlNotFound"), (4_090_000, "ImageAlreadyExists"),
    (4_090_001, "MessageAlreadyExists"), (4_290_000, "RateLimitExceeded"),
    (5_000_000, "GeneralInternal"), (5_000_001, "GeneralInternalRetryable"),
    (4_000_082, "InvalidConsistencyToken"), (4_000_180, "PendingChangesMismatch"),
    (4_000_097, "RepeatedRequestReferenceId"), (4_000_181, "PendingRefund"),
    (4_000_174, "InvalidSignature"), (4_010_000, "Unauthorized"),
  ]

  /// The codes of the Advanced Commerce API.
  static let advancedCommerceCodes: [Int] = {
    let ranges: [ClosedRange<Int>] = [
      28...28, 33...33, 53...53, 63...63, 79...89, 91...119, 121...137, 139...160, 165...169,
      171...174, 176...182, 184...184, 186...186, 192...194, 205...205, 214...214, 220...223,
    ]
    let refused: [Int] = [8, 9, 10, 11, 13, 15, 20, 21, 22, 23, 24, 25, 27]
    let malformed = ranges.flatMap { Array($0) }.filter { ![120, 138, 161, 170].contains($0) }
    return malformed.map { 4_000_000 + $0 } + refused.map { 4_030_000 + $0 }
      + [4_010_000, 4_040_016]
  }()

  static let passingCodes: Set<Int> = [4_040_002, 4_040_004, 4_040_006, 5_000_001]
  static let startingOver: Set<Int> = [4_000_005, 4_000_014, 4_000_017]

  @Test("Each code has Apple's name and says whether to retry", arguments: names)
  func name(_ code: Int, _ name: String) async throws {
    let failure = try await refusal(.code(code))
    #expect(failure.name == name)
    #expect(failure.code?.rawValue == code)
    #expect(failure.code?.isKnown == true)
    #expect(failure.status?.code == code / 10_000)
    #expect(failure.message == "Message of \(code).")
    let retry: AppStoreServerFailure.Retry =
      switch code {
      case _ where Self.passingCodes.contains(code): .afterBackOff
      case _ where Self.startingOver.contains(code): .startOver
      case 4_040_010: .otherEnvironment
      // Without Retry-After, and for the caller's queue.
      case 4_290_000, 5_000_000: .afterBackOff
      default: .never
      }
    #expect(failure.retry == retry)
  }

  @Test("No code of the Advanced Commerce API is retried", arguments: advancedCommerceCodes)
  func advancedCommerce(_ code: Int) async throws {
    let scene = try ClientScene([.code(code)])
    let call = try SampleCall.of(.changeSubscriptionPrice)
    let failure = try await failure { try await call.run(scene.client, .sandbox) }
    #expect(failure.code?.rawValue == code)
    #expect(failure.code?.isKnown == true)
    #expect(failure.retry == .never)
    #expect(scene.sent == 1)
    #expect(!failure.hasArrived)
  }

  @Test("The passing codes are sent again, for every method", arguments: passingCodes.sorted())
  func passing(_ code: Int) async throws {
    for endpoint in [AppStoreServerEndpoint.transactionInfo, .finishTransaction] {
      let call = try SampleCall.of(endpoint)
      let scene = try ClientScene([.code(code), .code(code), try call.success])
      try await call.run(scene.client, .sandbox)
      #expect(scene.sent == 3)
    }
  }

  @Test("An unknown code is kept, and not retried")
  func unknown() async throws {
    let failure = try await refusal(
      .status(400, #"{"errorCode":9990000,"errorMessage":"Testing error."}"#))
    #expect(failure.code?.rawValue == 9_990_000)
    #expect(failure.code?.isKnown == false)
    #expect(failure.name == nil)
    #expect(failure.message == "Testing error.")
    #expect(failure.retry == .never)
  }

  @Test("A code without message and a message without code are kept")
  func halves() async throws {
    let codeOnly = try await refusal(.status(404, #"{"errorCode":4040010}"#))
    #expect(codeOnly.code == .transactionIDNotFound)
    #expect(codeOnly.message == nil)
    let messageOnly = try await refusal(.status(400, #"{"errorMessage":"Why not."}"#))
    #expect(messageOnly.code == nil)
    #expect(messageOnly.message == "Why not.")
    #expect(messageOnly.retry == .never)
    let mistyped = try await refusal(
      .status(400, #"{"errorCode":"4000006","errorMessage":"Why not."}"#))
    #expect(mistyped.code == nil)
    #expect(mistyped.message == "Why not.")
  }

  @Test(
    "A code beats the status",
    arguments: [
      (500, 4_040_010, AppStoreServerFailure.Retry.otherEnvironment), (429, 4_000_006, .never),
      (503, 4_000_000, .never), (400, 5_000_001, .afterBackOff), (500, 4_000_017, .startOver),
    ])
  func codeBeatsStatus(
    _ status: Int, _ code: Int, _ retry: AppStoreServerFailure.Retry
  ) async throws {
    let failure = try await refusal(.status(status, #"{"errorCode":\#(code)}"#))
    #expect(failure.retry == retry)
    #expect(failure.status?.code == status)
  }

  @Test("The code of too many requests counts with another status too")
  func limitedByCode() async throws {
    let headers: HTTPHeaders = ["Retry-After": "1793491230250"]
    let failure = try await refusal(.status(400, #"{"errorCode":4290000}"#, headers))
    #expect(failure.retry == .notBefore(ClientScene.begin.addingTimeInterval(30)))
  }

  @Test("404 without a code is final")
  func notFoundWithoutCode() async throws {
    #expect(try await refusal(.status(404, "<html>")).retry == .never)
    #expect(try await refusal(.status(403)).retry == .never)
    #expect(try await refusal(.status(302)).retry == .never)
  }

  /// The failure of a call with one attempt.
  private func refusal(_ answer: ScriptedAnswer) async throws -> AppStoreServerFailure {
    let scene = try ClientScene([answer]) { $0.attempts = 1 }
    let failure = try await failure {
      try await scene.client.transactionInfo("1", in: .sandbox)
    }
    #expect(scene.sent == 1)
    return failure
  }
}
