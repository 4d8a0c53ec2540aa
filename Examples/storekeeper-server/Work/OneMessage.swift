import JWSVerifier
import ReceiptModels
import Storekeeper

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The same message for every customer who is about to cancel.
struct OneMessage: RetentionMessageAnswerer {
  let identifier: UUID

  func answer(to request: Verified<RealtimeRequest>) -> RealtimeResponse? {
    .message(identifier)
  }
}
