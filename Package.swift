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
    .library(name: "CurlTransport", targets: ["CurlTransport"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .library(name: "LinkPolicy", targets: ["LinkPolicy"]),
    .library(name: "PurchaseStorage", targets: ["PurchaseStorage"]),
    .library(name: "SQLStorage", targets: ["SQLStorage"]),
    .library(name: "SQLiteStorage", targets: ["SQLiteStorage"]),
    .library(name: "PostgresStorage", targets: ["PostgresStorage"]),
    .library(name: "FileReceiptStorage", targets: ["FileReceiptStorage"]),
    .library(name: "Storekeeper", targets: ["Storekeeper"]),
    .library(name: "StorekeeperHTTP", targets: ["StorekeeperHTTP"]),
    .library(name: "StorekeeperTesting", targets: ["StorekeeperTesting"]),
    .executable(name: "verify-signed-data", targets: ["verify-signed-data"]),
    .executable(name: "inspect-receipt", targets: ["inspect-receipt"]),
    .executable(name: "app-store-simulator", targets: ["app-store-simulator"]),
    .executable(name: "decide-link", targets: ["decide-link"]),
    .executable(name: "storekeeper-server", targets: ["storekeeper-server"]),
  ],
  targets: [
    // Floor 1: vocabulary, values, C libraries.
    .target(name: "ReceiptModels", swiftSettings: settings),
    .target(name: "HTTPMessages", swiftSettings: settings),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CMicroHTTPD",
      pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "LockSupport", swiftSettings: settings),

    // Floor 2: pure decisions; the one wrapper over OpenSSL.
    .target(name: "LinkPolicy", dependencies: ["ReceiptModels"], swiftSettings: settings),
    .target(
      name: "OpenSSLSupport", dependencies: ["COpenSSL", "LockSupport"], swiftSettings: settings),

    // Floor 3: evidence becomes facts.
    .target(
      name: "JWSVerifier",
      dependencies: ["ReceiptModels", "HTTPMessages", "LockSupport", "OpenSSLSupport"],
      swiftSettings: settings),

    .target(
      name: "ReceiptVerifier",
      dependencies: ["ReceiptModels", "HTTPMessages", "JWSVerifier", "OpenSSLSupport"],
      swiftSettings: settings),

    // Floor 3: the ports of what is kept.
    .target(
      name: "PurchaseStorage", dependencies: ["LockSupport", "ReceiptModels"],
      swiftSettings: settings),

    // Floor 4: the records in SQL, and the use cases.
    .target(
      name: "SQLStorage", dependencies: ["LockSupport", "PurchaseStorage", "ReceiptModels"],
      swiftSettings: settings),
    .target(
      name: "Storekeeper",
      dependencies: [
        "ReceiptModels", "HTTPMessages", "JWSVerifier", "LinkPolicy", "LockSupport",
        "OpenSSLSupport", "PurchaseStorage", "ReceiptVerifier",
      ],
      swiftSettings: settings),
    .target(
      name: "StorekeeperHTTP",
      dependencies: [
        "HTTPMessages", "LinkPolicy", "OpenSSLSupport", "PurchaseStorage", "ReceiptModels",
        "ReceiptVerifier", "Storekeeper",
      ],
      swiftSettings: settings),

    // Floor 5: adapters.
    .target(
      name: "FileReceiptStorage", dependencies: ["PurchaseStorage", "ReceiptModels"],
      swiftSettings: settings),
    .target(
      name: "SQLiteStorage",
      dependencies: ["CSQLite", "LockSupport", "PurchaseStorage", "ReceiptModels", "SQLStorage"],
      swiftSettings: settings),
    .target(
      name: "PostgresStorage",
      dependencies: [
        "CPostgreSQL", "LockSupport", "PurchaseStorage", "ReceiptModels", "SQLStorage",
      ],
      swiftSettings: settings),
    .target(
      name: "CurlTransport", dependencies: ["CCurl", "HTTPMessages", "LockSupport"],
      swiftSettings: settings),
    .target(
      name: "URLSessionTransport", dependencies: ["HTTPMessages"], swiftSettings: settings),

    // Floor 6: for our tests and our users'.
    .target(
      name: "StorekeeperTesting",
      dependencies: [
        "ReceiptModels", "HTTPMessages", "LockSupport", "OpenSSLSupport", "JWSVerifier",
        "LinkPolicy", "PurchaseStorage", "ReceiptVerifier",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "decide-link",
      dependencies: ["ReceiptModels", "LinkPolicy"],
      path: "Examples/decide-link",
      swiftSettings: settings),
    .executableTarget(
      name: "subscription-walkthrough",
      dependencies: [
        "ReceiptModels", "HTTPMessages", "LinkPolicy", "PurchaseStorage", "ReceiptVerifier",
        "SQLiteStorage", "Storekeeper", "StorekeeperTesting",
      ],
      path: "Examples/subscription-walkthrough",
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
    .target(
      name: "SimulatorControl",
      dependencies: ["HTTPMessages", "ReceiptModels", "ReceiptVerifier", "StorekeeperTesting"],
      path: "Examples/app-store-simulator/Control",
      resources: [.embedInCode("page.html")],
      swiftSettings: settings),
    .executableTarget(
      name: "app-store-simulator",
      dependencies: ["CurlTransport", "HTTPMessages", "MicroHTTPServer", "SimulatorControl"],
      path: "Examples/app-store-simulator/Program",
      swiftSettings: settings),
    .executableTarget(
      name: "embedding",
      dependencies: ["ReceiptModels", "JWSVerifier", "StorekeeperTesting"],
      path: "Examples/embedding",
      swiftSettings: settings),

    // A server for the example programs.
    .target(
      name: "MicroHTTPServer",
      dependencies: ["CMicroHTTPD", "HTTPMessages", "LockSupport"],
      path: "Examples/MicroHTTPServer",
      swiftSettings: settings),

    .executableTarget(
      name: "storekeeper-server",
      dependencies: [
        "CurlTransport", "FileReceiptStorage", "HTTPMessages", "JWSVerifier", "LinkPolicy",
        "LockSupport", "MicroHTTPServer", "PostgresStorage", "PurchaseStorage", "ReceiptModels",
        "ReceiptVerifier", "SQLiteStorage", "Storekeeper", "StorekeeperHTTP",
      ],
      path: "Examples/storekeeper-server",
      swiftSettings: settings),

    // Processes that are killed; see Tests/Crash/run.
    .executableTarget(
      name: "crash-test",
      dependencies: [
        "HTTPMessages", "LinkPolicy", "LockSupport", "PostgresStorage", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "SQLStorage", "SQLiteStorage", "Storekeeper",
        "StorekeeperTesting",
      ],
      path: "Tests/Crash",
      exclude: ["run"],
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
      name: "LinkPolicyTests", dependencies: ["LinkPolicy", "ReceiptModels"],
      swiftSettings: settings),
    .testTarget(
      name: "PurchaseStorageTests",
      dependencies: ["PurchaseStorage", "ReceiptModels", "StorekeeperTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "SQLiteStorageTests",
      dependencies: [
        "PurchaseStorage", "ReceiptModels", "SQLStorage", "SQLiteStorage", "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PostgresStorageTests",
      dependencies: [
        "LockSupport", "PostgresStorage", "PurchaseStorage", "ReceiptModels", "SQLStorage",
        "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StorekeeperTests",
      dependencies: [
        "FileReceiptStorage", "FixtureSupport", "HTTPMessages", "JWSVerifier", "LinkPolicy",
        "LockSupport", "PostgresStorage", "PurchaseStorage", "ReceiptModels", "ReceiptVerifier",
        "SQLStorage",
        "SQLiteStorage", "Storekeeper", "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SimulatorControlTests",
      dependencies: [
        "HTTPMessages", "JWSVerifier", "LinkPolicy", "LockSupport", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "SimulatorControl", "Storekeeper",
        "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StorekeeperHTTPTests",
      dependencies: [
        "HTTPMessages", "JWSVerifier", "LinkPolicy", "LockSupport", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "Storekeeper", "StorekeeperHTTP", "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MicroHTTPServerTests",
      dependencies: ["HTTPMessages", "LockSupport", "MicroHTTPServer"],
      swiftSettings: settings),
    .testTarget(
      name: "OpenSSLSupportTests",
      dependencies: ["LockSupport", "OpenSSLSupport", "FixtureSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "JWSVerifierTests",
      dependencies: [
        "JWSVerifier", "LockSupport", "ReceiptModels", "HTTPMessages", "OpenSSLSupport",
        "StorekeeperTesting", "FixtureSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ReceiptVerifierTests",
      dependencies: [
        "ReceiptVerifier", "JWSVerifier", "LockSupport", "ReceiptModels", "HTTPMessages",
        "OpenSSLSupport", "StorekeeperTesting", "FixtureSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: ["CurlTransport", "HTTPMessages", "LockSupport", "URLSessionTransport"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
