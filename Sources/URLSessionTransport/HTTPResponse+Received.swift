internal import Foundation
internal import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPResponse {
  /// An answer as it arrived, its fields sorted by name since URLSession does not keep their order.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` with `interrupted` for a field that HTTP does
  ///   not allow.
  init(_ head: HTTPURLResponse, body: [UInt8]) throws(HTTPTransportFailure) {
    var headers = HTTPHeaders()
    let fields = head.allHeaderFields.compactMap { name, value -> (String, String)? in
      guard let name = name as? String else { return nil }
      return (name, "\(value)")
    }
    do throws(HTTPSyntaxFailure) {
      for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
        try headers.append(value, for: HTTPHeaderName(name))
      }
    } catch {
      throw HTTPTransportFailure(.interrupted, cause: error)
    }
    self.init(status: HTTPStatusCode(head.statusCode), headers: headers, body: body)
  }
}
