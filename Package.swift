// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .treatWarning("DeprecatedDeclaration", as: .warning),
]

let package = Package(
  name: "Storekeeper",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ReceiptModels", targets: ["ReceiptModels"]),
    .library(name: "HTTPMessages", targets: ["HTTPMessages"]),
    .library(name: "JWSVerifier", targets: ["JWSVerifier"]),
    .library(name: "ReceiptVerifier", targets: ["ReceiptVerifier"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .library(name: "StorekeeperTesting", targets: ["StorekeeperTesting"]),
    .executable(name: "verify-signed-data", targets: ["verify-signed-data"]),
    .executable(name: "inspect-receipt", targets: ["inspect-receipt"]),
  ],
  targets: [
    // Floor 1: vocabulary, values, C libraries.
    .target(name: "ReceiptModels", swiftSettings: settings),
    .target(name: "HTTPMessages", swiftSettings: settings),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    // Floor 2: the one wrapper over OpenSSL.
    .target(name: "OpenSSLSupport", dependencies: ["COpenSSL"], swiftSettings: settings),

    // Floor 3: evidence becomes facts.
    .target(
      name: "JWSVerifier",
      dependencies: ["ReceiptModels", "HTTPMessages", "OpenSSLSupport"],
      swiftSettings: settings),

    .target(
      name: "ReceiptVerifier",
      dependencies: ["ReceiptModels", "HTTPMessages", "JWSVerifier", "OpenSSLSupport"],
      swiftSettings: settings),

    // Floor 5: adapters.
    .target(
      name: "URLSessionTransport", dependencies: ["HTTPMessages"], swiftSettings: settings),

    // Floor 6: for our tests and our users'.
    .target(
      name: "StorekeeperTesting",
      dependencies: [
        "ReceiptModels", "HTTPMessages", "OpenSSLSupport", "JWSVerifier", "ReceiptVerifier",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "verify-signed-data",
      dependencies: ["ReceiptModels", "JWSVerifier"],
      path: "Examples/verify-signed-data",
      swiftSettings: settings),
    .executableTarget(
      name: "inspect-receipt",
      dependencies: ["ReceiptModels", "JWSVerifier", "ReceiptVerifier"],
      path: "Examples/inspect-receipt",
      swiftSettings: settings),
    .executableTarget(
      name: "make-test-data",
      dependencies: ["ReceiptModels", "StorekeeperTesting"],
      path: "Examples/make-test-data",
      swiftSettings: settings),
    .executableTarget(
      name: "embedding",
      dependencies: ["ReceiptModels", "JWSVerifier", "StorekeeperTesting"],
      path: "Examples/embedding",
      swiftSettings: settings),

    // Where the tests find the fixtures.
    .target(name: "FixtureSupport", path: "Tests/FixtureSupport", swiftSettings: settings),
    .testTarget(
      name: "ReceiptModelsTests",
      dependencies: ["ReceiptModels", "FixtureSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPMessagesTests", dependencies: ["HTTPMessages"], swiftSettings: settings),
    .testTarget(
      name: "OpenSSLSupportTests",
      dependencies: ["OpenSSLSupport", "FixtureSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "JWSVerifierTests",
      dependencies: [
        "JWSVerifier", "ReceiptModels", "HTTPMessages", "OpenSSLSupport", "StorekeeperTesting",
        "FixtureSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ReceiptVerifierTests",
      dependencies: [
        "ReceiptVerifier", "JWSVerifier", "ReceiptModels", "HTTPMessages", "OpenSSLSupport",
        "StorekeeperTesting", "FixtureSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "URLSessionTransportTests",
      dependencies: ["URLSessionTransport", "HTTPMessages"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
