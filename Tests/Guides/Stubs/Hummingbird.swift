// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

import HTTPTypes
import Logging
import NIOCore
import ServiceLifecycle

public struct RequestBody: Sendable {
  public func collect(upTo maxSize: Int) async throws -> ByteBuffer { ByteBuffer(bytes: []) }
}

public struct ResponseBody: Sendable {
  public init(byteBuffer: ByteBuffer) {}
}

public struct URI: Sendable {
  public let string: String
  public let path: String
}

public struct Request: Sendable {
  public let uri: URI
  public let method: HTTPTypes.HTTPRequest.Method
  public let headers: HTTPFields
  public var body: RequestBody
}

public struct Response: Sendable {
  public init(status: HTTPTypes.HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: ResponseBody) {}
}

public protocol RequestContext: Sendable {}
public struct BasicRequestContext: RequestContext {}

public protocol RouterMiddleware<Context>: Sendable {
  associatedtype Context: RequestContext
  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response
}

public final class Router<Context: RequestContext>: Sendable {
  public init(context: Context.Type = BasicRequestContext.self) {}
  public func add(middleware: some RouterMiddleware<Context>) {}
}

public struct Application<Context: RequestContext>: Sendable {
  public init(router: Router<Context>, logger: Logger? = nil) {}
  public mutating func addServices(_ services: any Service...) {}
}
