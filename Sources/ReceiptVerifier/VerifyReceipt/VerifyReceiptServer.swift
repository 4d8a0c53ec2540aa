public import ReceiptModels

/// One of Apple's two servers that answer verifyReceipt.
public enum VerifyReceiptServer: Hashable, Sendable, CaseIterable {
  /// The server of the App Store, which is asked first.
  case production
  /// The server of the Sandbox, for receipts that Production redirects there.
  case sandbox

  /// The environment whose receipts the server accepts.
  public var environment: AppStoreEnvironment {
    switch self {
    case .production: .production
    case .sandbox: .sandbox
    }
  }

  public var url: String {
    switch self {
    case .production: "https://buy.itunes.apple.com/verifyReceipt"
    case .sandbox: "https://sandbox.itunes.apple.com/verifyReceipt"
    }
  }

  var other: VerifyReceiptServer {
    switch self {
    case .production: .sandbox
    case .sandbox: .production
    }
  }

  /// The status with which it redirects a receipt of the other server.
  var redirection: VerifyReceiptStatus {
    switch self {
    case .production: .sandboxReceipt
    case .sandbox: .productionReceipt
    }
  }
}
