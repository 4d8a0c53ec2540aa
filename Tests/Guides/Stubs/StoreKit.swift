// swift-format-ignore-file
// What the guide for iOS apps uses of StoreKit, and the part of Foundation that Linux has in a module of its own.
@_exported import FoundationNetworking
import Foundation

public struct Transaction: Sendable {
  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = VerificationResult<Transaction>

    public struct AsyncIterator: AsyncIteratorProtocol {
      public mutating func next() async -> VerificationResult<Transaction>? { nil }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }

  public static var updates: Updates { Updates() }

  public var productType: Product.ProductType { .consumable }

  public func finish() async {}
}

public enum VerificationResult<SignedType: Sendable>: Sendable {
  case unverified(SignedType, any Error)
  case verified(SignedType)

  public var jwsRepresentation: String { "" }

  public var unsafePayloadValue: SignedType {
    switch self {
    case .unverified(let value, _), .verified(let value): value
    }
  }
}

public struct Product: Sendable {
  public struct ProductType: Hashable, Sendable {
    public static let consumable = ProductType()
  }

  public struct PurchaseOption: Hashable, Sendable {
    public static func appAccountToken(_ token: UUID) -> PurchaseOption { PurchaseOption() }
  }

  public enum PurchaseResult: Sendable {
    case success(VerificationResult<Transaction>)
    case userCancelled
    case pending
  }

  public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
    .pending
  }
}
