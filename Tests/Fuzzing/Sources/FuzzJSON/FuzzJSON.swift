import JSONValues
import ReceiptModels

/// Any bytes as JSON: never a crash; what is read is read again from what is written; models keep
/// all members.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let value = try? JSONValue(parsing: bytes) else { return 0 }
  let again = try? JSONValue(parsing: value.serialized)
  precondition(again.map(\.serialized) == value.serialized, "a round trip changed the value")
  check(Transaction.self, value)
  check(RenewalInfo.self, value)
  check(ServerNotification.self, value)
  check(AppTransaction.self, value)
  check(RealtimeRequest.self, value)
  return 0
}

private func check<Model: JSONModel>(_ type: Model.Type, _ value: JSONValue) {
  guard let model = try? Model(json: value) else { return }
  let again = try? Model(json: model.json)
  precondition(again?.json == model.json, "a round trip changed the model")
}
