import AppStoreServerAPI
import JWSVerifier
import ReceiptModels
import Storekeeper

/// The same consumption information about every purchase, in place of a host's own.
struct OneConsumption: ConsumptionAnswerer {
  let information: ConsumptionRequest

  func answer(to question: ConsumptionQuestion) -> ConsumptionAnswer? {
    // Advanced Commerce takes version 1, which tells of the customer what no file can know.
    guard !question.isAdvancedCommerce else { return nil }
    var information = information
    if question.transaction.payload.type == .autoRenewableSubscription {
      information.consumptionPercentage = nil
    }
    return .information(information)
  }
}
