@testable import JSONValues
@testable import ReceiptModels

/// Fuzzes JSON: no crash; encoding and decoding again gives the same value; models keep all
/// members, and are the same from the text and from its value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let text = try? JSONText(checking: bytes, within: .values) else { return 0 }
  let value = text.value(at: text.root)
  let again = try? JSONValue(parsing: value.serialized)
  precondition(again.map(\.serialized) == value.serialized, "a round trip changed the value")
  check(Transaction.self, text, value)
  check(RenewalInfo.self, text, value)
  check(ServerNotification.self, text, value)
  check(AppTransaction.self, text, value)
  check(RealtimeRequest.self, text, value)
  return 0
}

private func check<Model: FieldModel>(
  _ type: Model.Type, _ text: JSONText, _ value: JSONValue
) {
  let ofText = Result { () throws(FieldTypeFailure) in try Model(text, at: text.root) }
  let ofValue = Result { () throws(FieldTypeFailure) in try Model(json: value) }
  precondition(ofText == ofValue, "a model depends on the way it is read")
  guard case .success(let model) = ofValue else { return }
  let again = try? Model(json: model.json)
  precondition(again?.json == model.json, "a round trip changed the model")
}
