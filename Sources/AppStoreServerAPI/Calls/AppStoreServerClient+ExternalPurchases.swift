internal import HTTPMessages
internal import JWSVerifier
public import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreServerClient {
  /// Reports external purchases for a token.
  ///
  /// The token's identifier tells the environment: those of the Sandbox begin with `SANDBOX`. After a
  /// connection that broke, Apple is asked whether the report arrived, and it is sent again if not. If
  /// the failure has ``AppStoreServerFailure/reportErrors``, Apple took nothing: send the corrected
  /// report with the same identifier. Source: Apple, Send External Purchase Report.
  public func sendExternalPurchaseReport(
    _ report: ExternalPurchaseReport, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<ExternalPurchaseReportResponse> {
    try check(report, .sendExternalPurchaseReport)
    let environment: AppStoreEnvironment =
      report.isSandbox ? .sandbox : .production
    let request = ServerRequest(
      .sendExternalPurchaseReport, ["externalPurchase", "v1", "reports"], sending: report)
    let end = uptime.elapsed + (patience ?? configuration.patience)
    do throws(AppStoreServerFailure) {
      return try await unsigned(request, in: environment, patience: patience)
    } catch {
      // The answer to an earlier call may have been lost.
      if error.mayMeanDuplicate,
        let answer = try await arrived(report, in: environment, before: end)
      {
        return answer
      }
      guard error.isUncertain else { throw error }
    }
    if let answer = try await arrived(report, in: environment, before: end) { return answer }
    do throws(AppStoreServerFailure) {
      return try await unsigned(request, in: environment, patience: end - uptime.elapsed)
    } catch {
      // The first attempt may have been slow.
      guard error.mayMeanDuplicate,
        let answer = try await arrived(report, in: environment, before: end)
      else { throw error }
      return answer
    }
  }

  /// Returns Apple's answer to a report that it has; nil if it doesn't have it.
  private func arrived(
    _ report: ExternalPurchaseReport, in environment: AppStoreEnvironment, before end: Duration
  ) async throws(AppStoreServerFailure) -> Unsigned<ExternalPurchaseReportResponse>? {
    do throws(AppStoreServerFailure) {
      let stored = try await externalPurchaseReport(
        report.requestIdentifier, in: environment, patience: end - uptime.elapsed)
      return Unsigned(stored.value.response, in: environment)
    } catch {
      guard error.status == .badRequest else { throw error }
      return nil
    }
  }

  /// Returns a report that was sent.
  ///
  /// The failure has the status 400 for an unknown identifier. Source: Apple, Retrieve External
  /// Purchase Report.
  public func externalPurchaseReport(
    _ requestIdentifier: UUID, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<ExternalPurchaseReport> {
    try await unsigned(
      ServerRequest(
        .externalPurchaseReport,
        ["externalPurchase", "v1", "reports", RequestPart.uuid(requestIdentifier)]),
      in: environment, patience: patience)
  }
}

extension AppStoreServerFailure {
  /// Whether Apple may have the report already: it answers so to that, and to a malformed one, without telling which.
  fileprivate var mayMeanDuplicate: Bool { status == .badRequest && reportErrors.isEmpty }
}

extension ExternalPurchaseReport {
  /// Apple's answer to this report.
  fileprivate var response: ExternalPurchaseReportResponse {
    var response = ExternalPurchaseReportResponse()
    response.requestIdentifier = requestIdentifier
    return response
  }
}
