import Foundation
import GooglePlayVerifier
import JSONValues

/// Fuzzes Google's answers and key files: no crash; what was read survives a round trip; nothing that is printed
/// quotes the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGooglePlay(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = try? GoogleServiceAccount(keyFile: bytes)
  guard let json = try? JSONValue(parsing: bytes) else { return 0 }
  if let purchase = model(SubscriptionPurchaseV2.self, json) { checkStanding(purchase) }
  model(ProductPurchaseV2.self, json)
  model(VoidedPurchasesPage.self, json)
  return 0
}

@discardableResult
private func model<Model: JSONModel & CustomStringConvertible>(
  _ type: Model.Type, _ json: JSONValue
) -> Model? {
  do throws(FieldTypeFailure) {
    let model = try Model(json: json)
    precondition(model.json == json, "a member was lost")
    precondition((try? Model(json: model.json)) == model, "changed")
    precondition(!model.description.isEmpty, "no description")
    return model
  } catch {
    precondition(error.path.utf8.count < 256, "an unbounded message")
    return nil
  }
}

private func checkStanding(_ purchase: SubscriptionPurchaseV2) {
  let dates = purchase.lineItems.compactMap(\.expiryTime)
  for date in dates + [Date(timeIntervalSince1970: 0)] {
    if case .valid(let productID, let expiry) = purchase.standing(at: date) {
      precondition(date < expiry, "an end that has passed")
      precondition(
        purchase.lineItems.contains { $0.productID == productID && $0.expiryTime == expiry },
        "an item from nowhere")
    }
  }
}
