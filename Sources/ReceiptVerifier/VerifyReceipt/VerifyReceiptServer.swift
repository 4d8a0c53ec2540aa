public import ReceiptModels

/// One of Apple's two servers that answer verifyReceipt.
public enum VerifyReceiptServer: Hashable, Sendable, CaseIterable {
  /// The App Store's, which is asked first.
  case production
  /// The Sandbox's, which is asked about receipts that Production sends there.
  case sandbox

  /// The environment of the receipts that it accepts.
  public var environment: AppStoreEnvironment {
    switch self {
    case .production: .production
    case .sandbox: .sandbox
    }
  }

  /// The address that Apple documents.
  public var url: String {
    switch self {
    case .production: "https://buy.itunes.apple.com/verifyReceipt"
    case .sandbox: "https://sandbox.itunes.apple.com/verifyReceipt"
    }
  }

  /// The other one.
  var other: VerifyReceiptServer {
    switch self {
    case .production: .sandbox
    case .sandbox: .production
    }
  }

  /// What it says of a receipt that belongs to the other one.
  var redirection: VerifyReceiptStatus {
    switch self {
    case .production: .sandboxReceipt
    case .sandbox: .productionReceipt
    }
  }
}
