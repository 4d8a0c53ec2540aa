internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The front of the erasing of every store, as ``CheckedStore`` is of the other records.
struct CheckedErasure: ErasureRepository {
  let base: any ErasureRepository

  func traces(of account: Account) async throws -> AccountTraces {
    guard AccountTraces(account: account).areStorable else {
      return AccountTraces(account: account)
    }
    return try await base.traces(of: account)
  }

  func purchases(markedBy tokens: Set<UUID>) async throws -> [ReceiptCursor] {
    tokens.isEmpty ? [] : try await base.purchases(markedBy: tokens)
  }

  func erase(_ erasure: AccountErasure) async throws -> [ErasedKind: Int] {
    try check(.pseudonym, erasure.pseudonym.rawValue)
    guard erasure.traces.areStorable else { return [:] }
    return try await base.erase(erasure)
  }
}

extension AccountTraces {
  fileprivate var areStorable: Bool { identifiers.allSatisfy { fits(.userID, $0.rawValue) } }
}
