internal import JSONValues
package import ReceiptModels

/// The body of a request, whose limits are checked before it is sent.
package protocol CheckedRequest: FieldModel {
  /// Checks the documented limits.
  func validate() throws(InvalidRequest)
}

extension CheckedRequest {
  /// Returns the bytes to send, after ``validate()``.
  package func checkedBody() throws(InvalidRequest) -> [UInt8] {
    try validate()
    return json.serialized
  }
}
