public import EntitlementPolicy
public import HTTPMessages
internal import JSONValues
internal import StorekeeperCrypto
internal import StorekeeperLocks

/// A fetcher of the extra content of products.
///
/// ```swift
/// let fetcher = ContentFetcher(transport: CurlHTTPTransport())
/// let content = try await fetcher.fetch(product)
/// ```
///
/// Calls for one product at the same time share one fetch. A cancelled call leaves the others alone; when all
/// are cancelled, the fetch is.
///
/// It does not look at entitlements: the host fetches content only of products that the user may use. Nor does it
/// refuse servers of the host's own network: the product list is trusted to name the right ones, and so are the
/// redirects of those servers. Source: entitlement rules, section 8.
public struct ContentFetcher: Sendable {
  /// The settings of a fetcher.
  public struct Configuration: Hashable, Sendable {
    /// The maximum size of content in bytes, 64 MiB by default; a descriptor may lower it.
    public var maximumByteCount = 64 << 20
    /// Whether content may come over `http`, without any protection; not by default.
    public var allowsHTTP = false
    /// The directory below which local content lies, or nil for none.
    public var contentDirectory: String?
    /// The time limit of one exchange with a server, 60 seconds by default.
    public var timeout = Duration.seconds(60)

    /// Creates the default settings.
    public init() {}
  }

  public let configuration: Configuration

  private let remote: RemoteContent
  private let flights = SingleFlight<ContentFlight, Result<FetchedContent, ContentFailure>>()

  /// Creates a fetcher.
  public init(
    transport: any HTTPTransport, configuration: Configuration = Configuration(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    remote = RemoteContent(
      transport: transport, clock: clock, allowsHTTP: configuration.allowsHTTP,
      timeout: configuration.timeout)
  }

  /// Fetches the extra content of a product, which need not be listed any more; nil for one without a descriptor.
  public func fetch(
    _ product: CatalogProduct
  ) async throws(ContentFailure) -> FetchedContent? {
    guard let descriptor = product.content else { return nil }
    let flight = ContentFlight(product: product.uniqueIdentifier, descriptor: descriptor)
    let shared = await flights.value(for: flight) { await result(of: descriptor) }
    guard let result = shared else { throw .cancelled }
    return try result.get()
  }

  private func result(
    of descriptor: ContentDescriptor
  ) async -> Result<FetchedContent, ContentFailure> {
    do throws(ContentFailure) {
      return .success(try await content(of: descriptor))
    } catch {
      return .failure(error)
    }
  }

  private func content(
    of descriptor: ContentDescriptor
  ) async throws(ContentFailure) -> FetchedContent {
    switch descriptor {
    case .remote(let source):
      let bytes = try await remote.bytes(of: source, limit: limit(of: source))
      return try checked(bytes, of: source, .remote)
    case .local(let source):
      let address = try LocalAddress(source.url)
      let bytes = try await address.bytes(
        below: configuration.contentDirectory, limit: limit(of: source))
      return try checked(bytes, of: source, .local)
    case .fallback(let sources): return try await first(of: sources)
    case .unknown: throw .unsupportedType
    }
  }

  private func first(
    of sources: [ContentDescriptor]
  ) async throws(ContentFailure) -> FetchedContent {
    var failures: [ContentFailure] = []
    for source in sources {
      do throws(ContentFailure) {
        return try await content(of: source)
      } catch {
        guard !Task.isCancelled else { throw .cancelled }
        failures.append(error)
      }
    }
    throw .allSourcesFailed(failures)
  }

  private func limit(of source: ContentSource) -> Int {
    min(configuration.maximumByteCount, source.maximumByteCount ?? .max)
  }

  /// Checks the digest of content; one that cannot be computed is no match.
  private func checked(
    _ bytes: [UInt8], of source: ContentSource, _ type: FetchedContent.SourceType
  ) throws(ContentFailure) -> FetchedContent {
    guard let digest = try? SHA256.digest(of: bytes) else { throw .checksumMismatch }
    let sha256 = hexadecimal(digest)
    guard source.sha256 == nil || source.sha256?.lowercased() == sha256 else {
      throw .checksumMismatch
    }
    return FetchedContent(bytes: bytes, sha256: sha256, sourceType: type, url: source.url)
  }
}

/// The fetch that calls share: one of a product, and of one descriptor, as the list may change meanwhile.
private struct ContentFlight: Hashable, Sendable {
  let product: UniqueText
  let descriptor: ContentDescriptor
}

/// The extra content of a product.
///
/// It is not unpacked. Entries of an archive may try to leave the directory into which they are unpacked. Source:
/// entitlement rules, section 8.
public struct FetchedContent: Hashable, Sendable {
  public let bytes: [UInt8]
  /// The SHA-256 digest of the bytes, 64 lower-case hexadecimal digits.
  public let sha256: String
  public let sourceType: SourceType
  /// The address of that source as the product list has it, before any redirect.
  public let url: String

  public var byteCount: Int { bytes.count }

  /// A type of a source.
  public enum SourceType: String, Hashable, Sendable {
    case remote
    /// A file below the content directory.
    case local
  }
}

extension FetchedContent: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(sourceType.rawValue) content, \(byteCount) bytes" }

  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["byteCount": byteCount, "sha256": sha256, "sourceType": sourceType, "url": url])
  }
}

/// The reason why content could not be fetched.
///
/// Source: entitlement rules, section 8.
@nonexhaustive
public enum ContentFailure: Error, Hashable, Sendable {
  case unsupportedType
  /// The address is no URL of its type, or has no host name, or has a user name or password.
  case invalidURL
  /// The scheme is not `https`, or not `http` where the host allows it, or not `file` for local content; or an
  /// `https` address redirects to `http`.
  case schemeNotAllowed
  /// The path leaves the content directory, or there is no such directory.
  case outsideContentDirectory
  /// The content has more bytes than the limit.
  case tooLarge(limit: Int)
  case checksumMismatch
  /// The server answered with another status than 200, or with too many redirects.
  case httpStatus(Int)
  /// The server gave no answer, or the local file is missing, cannot be read or is no regular file.
  case transport
  /// Every source of a `fallback` failed, in their order.
  case allSourcesFailed([ContentFailure])
  case cancelled
}
