internal import CStorekeeperMicroHTTPD

/// The header fields of a request, in order.
struct HeaderFields {
  private(set) var texts: [(name: String, value: String)] = []
  /// The total length of names and values.
  private(set) var byteCount = 0
  /// Whether all of them are UTF-8.
  private(set) var areTexts = true

  init(of connection: OpaquePointer) {
    unsafe withUnsafeMutablePointer(to: &self) { fields in
      _ = unsafe MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { fields, _, name, nameCount, value, valueCount in
          guard let fields = unsafe fields?.assumingMemoryBound(to: HeaderFields.self) else {
            return .NO
          }
          unsafe fields.pointee.append(
            UnsafeRawBufferPointer(start: name, count: nameCount),
            UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount))
          return .YES
        }, fields)
    }
  }

  private mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    byteCount += name.count + value.count
    if let name = unsafe String(validating: name, as: UTF8.self),
      let value = unsafe String(validating: value, as: UTF8.self)
    {
      texts.append((name, value))
    } else {
      areTexts = false
    }
  }
}
