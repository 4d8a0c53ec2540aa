internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The two keys of a receipt: one of digits and one of two words, and one for its stamp.
///
/// The stamp's value is the milliseconds, a colon, and a digest of the receipt. Another program may write the first key
/// alone; then the digest tells that the stamp is not that of its receipt.
struct RedisReceiptKey: Sendable {
  let receipt: String
  let stamp: String

  /// Checks an identifier and an environment.
  init(
    _ originalTransactionID: String, _ environment: AppStoreEnvironment,
    _ configuration: RedisReceiptStore.Configuration
  ) throws(StorageFailure) {
    try StoredReceipt.checkKey(originalTransactionID, environment)
    receipt = "\(configuration.keyPrefix)\(originalTransactionID)-\(environment.rawValue)"
    // A cluster places a key by the text in braces, if there is one.
    stamp = "{\(receipt)}:as-of"
  }
}

extension RedisCommand {
  static func reading(_ key: RedisReceiptKey) throws(RedisReceiptStore.Failure) -> RedisCommand {
    try RedisCommand(["MGET", key.receipt, key.stamp], replying: .texts(2))
  }

  static func putting(
    _ receipt: StoredReceipt, under key: RedisReceiptKey, timeToLive: Duration?
  ) throws(RedisReceiptStore.Failure) -> RedisCommand {
    // At most a century, which Redis can add to the present time.
    let time = timeToLive.map { max(1, Int(min($0, .seconds(3_000_000_000)) / .milliseconds(1))) }
    return try RedisCommand(
      [
        "EVAL", putScript, "2", key.receipt, key.stamp, receipt.receipt,
        String(StoredMoment.milliseconds(receipt.asOf)), String(time ?? 0),
        try RedisReceiptStamp.digest(of: receipt.receipt),
      ], replying: .integer)
  }

  static func removing(_ key: RedisReceiptKey) throws(RedisReceiptStore.Failure) -> RedisCommand {
    try RedisCommand(["DEL", key.receipt, key.stamp], replying: .integer)
  }

  /// The comparison and the write in one step, as Redis runs one script at a time.
  ///
  /// A stamp whose receipt is gone, as a server with little memory may remove one of the two,
  /// doesn't count. Milliseconds are exact in Lua's numbers, which are doubles.
  private static let putScript = """
    local stored = tonumber(string.match(redis.call('GET', KEYS[2]) or '', '^-?%d+'))
    if stored and stored > tonumber(ARGV[2]) and redis.call('EXISTS', KEYS[1]) == 1 then
      return 0
    end
    if ARGV[3] == '0' then
      redis.call('SET', KEYS[1], ARGV[1])
      redis.call('SET', KEYS[2], ARGV[2] .. ':' .. ARGV[4])
    else
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
      redis.call('SET', KEYS[2], ARGV[2] .. ':' .. ARGV[4], 'PX', ARGV[3])
    end
    return 1
    """
}

extension RedisReply {
  /// The text of a receipt; nil for an absent or empty one.
  var receipt: String? {
    get throws(RedisReceiptStore.Failure) {
      guard case .text(let bytes) = self, bytes.contains(where: { $0 > 0x20 }) else { return nil }
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .notAReceipt }
      return text
    }
  }
}

/// The value of a stamp's key.
enum RedisReceiptStamp {
  /// Returns the digest of a receipt, in hexadecimal digits.
  static func digest(of receipt: String) throws(RedisReceiptStore.Failure) -> String {
    do throws(OpenSSLFailure) {
      return hexadecimal(try SHA256.digest(of: Array(receipt.utf8)))
    } catch {
      throw .notAReceipt
    }
  }

  /// Returns the date of a stamp, or the distant past without a stamp of this receipt.
  static func date(
    _ reply: RedisReply, of receipt: String
  ) throws(RedisReceiptStore.Failure) -> Date {
    guard case .text(let bytes) = reply else { return .distantPast }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":")
    guard parts.count == 2, let milliseconds = Int(parts[0]), try parts[1] == digest(of: receipt)
    else { return .distantPast }
    return StoredMoment.date(milliseconds: milliseconds)
  }
}
