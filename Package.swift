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
  ],
  targets: [
    // Floor 1: vocabulary, values, C libraries.
    .target(name: "ReceiptModels", swiftSettings: settings),
    .target(name: "HTTPMessages", swiftSettings: settings),
    .systemLibrary(
      name: "CStorekeeperOpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    .systemLibrary(
      name: "CStorekeeperSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CStorekeeperPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CStorekeeperMicroHTTPD",
      pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CStorekeeperCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "StorekeeperLocks", swiftSettings: settings),

    // Floor 2: pure decisions; the one wrapper over OpenSSL.
    .target(name: "LinkPolicy", dependencies: ["ReceiptModels"], swiftSettings: settings),
    .target(
      name: "StorekeeperCrypto", dependencies: ["CStorekeeperOpenSSL", "StorekeeperLocks"],
      swiftSettings: settings),

    // Floor 3: evidence becomes facts.
    .target(
      name: "JWSVerifier",
      dependencies: ["ReceiptModels", "HTTPMessages", "StorekeeperLocks", "StorekeeperCrypto"],
      swiftSettings: settings),

    .target(
      name: "ReceiptVerifier",
      dependencies: ["ReceiptModels", "HTTPMessages", "JWSVerifier", "StorekeeperCrypto"],
      swiftSettings: settings),

    // Floor 3: the ports of what is kept.
    .target(
      name: "PurchaseStorage", dependencies: ["StorekeeperLocks", "LinkPolicy", "ReceiptModels"],
      swiftSettings: settings),

    // Floor 4: the records in SQL, and the use cases.
    .target(
      name: "SQLStorage",
      dependencies: ["StorekeeperLocks", "LinkPolicy", "PurchaseStorage", "ReceiptModels"],
      swiftSettings: settings),
    .target(
      name: "Storekeeper",
      dependencies: [
        "ReceiptModels", "HTTPMessages", "JWSVerifier", "LinkPolicy", "StorekeeperLocks",
        "StorekeeperCrypto", "PurchaseStorage", "ReceiptVerifier",
      ],
      swiftSettings: settings),
    .target(
      name: "StorekeeperHTTP",
      dependencies: [
        "HTTPMessages", "JWSVerifier", "LinkPolicy", "StorekeeperCrypto", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "Storekeeper", "StorekeeperWire",
      ],
      exclude: ["Subscriptions/Wire"],
      swiftSettings: settings),
    // The JSON of the subscription contracts, which decide-link reads too.
    .target(
      name: "StorekeeperWire", dependencies: ["LinkPolicy", "ReceiptModels"],
      path: "Sources/StorekeeperHTTP/Subscriptions/Wire",
      swiftSettings: settings),

    // Floor 5: adapters.
    .target(
      name: "FileReceiptStorage",
      dependencies: ["StorekeeperLocks", "PurchaseStorage", "ReceiptModels"],
      swiftSettings: settings),
    .target(
      name: "SQLiteStorage",
      dependencies: [
        "CStorekeeperSQLite", "StorekeeperLocks", "PurchaseStorage", "ReceiptModels", "SQLStorage",
      ],
      swiftSettings: settings),
    .target(
      name: "PostgresStorage",
      dependencies: [
        "CStorekeeperPostgreSQL", "StorekeeperLocks", "PurchaseStorage", "ReceiptModels",
        "SQLStorage",
      ],
      swiftSettings: settings),
    .target(
      name: "CurlTransport",
      dependencies: ["CStorekeeperCurl", "HTTPMessages", "StorekeeperLocks"],
      swiftSettings: settings),
    .target(
      name: "URLSessionTransport", dependencies: ["HTTPMessages"], swiftSettings: settings),

    // Floor 6: for our tests and our users'.
    .target(
      name: "StorekeeperTesting",
      dependencies: [
        "ReceiptModels", "HTTPMessages", "StorekeeperLocks", "StorekeeperCrypto", "JWSVerifier",
        "LinkPolicy", "PurchaseStorage", "ReceiptVerifier",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "decide-link",
      dependencies: ["ReceiptModels", "LinkPolicy", "StorekeeperWire"],
      path: "Examples/decide-link",
      swiftSettings: settings),
    .executableTarget(
      name: "subscription-walkthrough",
      dependencies: [
        "ReceiptModels", "HTTPMessages", "LinkPolicy", "PurchaseStorage", "ReceiptVerifier",
        "SQLiteStorage", "Storekeeper", "StorekeeperHTTP", "StorekeeperTesting",
      ],
      path: "Examples/subscription-walkthrough",
      swiftSettings: settings),
    // What the inspection programs read from.
    .target(
      name: "StorekeeperToolSupport", dependencies: ["ReceiptModels"],
      path: "Examples/ToolSupport", swiftSettings: settings),
    .executableTarget(
      name: "verify-signed-data",
      dependencies: ["ReceiptModels", "JWSVerifier", "StorekeeperToolSupport"],
      path: "Examples/verify-signed-data",
      swiftSettings: settings),
    .executableTarget(
      name: "inspect-receipt",
      dependencies: [
        "ReceiptModels", "JWSVerifier", "ReceiptVerifier", "StorekeeperToolSupport",
      ],
      path: "Examples/inspect-receipt",
      swiftSettings: settings),
    .executableTarget(
      name: "make-test-data",
      dependencies: ["ReceiptModels", "StorekeeperTesting"],
      path: "Examples/make-test-data",
      swiftSettings: settings),
    .target(
      name: "StorekeeperSimulatorControl",
      dependencies: ["HTTPMessages", "ReceiptModels", "ReceiptVerifier", "StorekeeperTesting"],
      path: "Examples/app-store-simulator/Control",
      resources: [.embedInCode("page.html")],
      swiftSettings: settings),
    .executableTarget(
      name: "app-store-simulator",
      dependencies: [
        "CurlTransport", "HTTPMessages", "StorekeeperMicroHTTPServer",
        "StorekeeperSimulatorControl",
      ],
      path: "Examples/app-store-simulator/Program",
      swiftSettings: settings),
    .executableTarget(
      name: "storekeeper-embedding",
      dependencies: ["ReceiptModels", "JWSVerifier", "StorekeeperTesting"],
      path: "Examples/embedding",
      swiftSettings: settings),

    // A server for the example programs.
    .target(
      name: "StorekeeperMicroHTTPServer",
      dependencies: ["CStorekeeperMicroHTTPD", "HTTPMessages", "StorekeeperLocks"],
      path: "Examples/MicroHTTPServer",
      swiftSettings: settings),

    .executableTarget(
      name: "storekeeper-server",
      dependencies: [
        "CurlTransport", "FileReceiptStorage", "HTTPMessages", "JWSVerifier", "LinkPolicy",
        "StorekeeperLocks", "StorekeeperMicroHTTPServer", "PostgresStorage", "PurchaseStorage",
        "ReceiptModels",
        "ReceiptVerifier", "SQLiteStorage", "Storekeeper", "StorekeeperHTTP",
      ],
      path: "Examples/storekeeper-server",
      swiftSettings: settings),

    // Processes that are killed; see Tests/Crash/run.
    .executableTarget(
      name: "storekeeper-crash-test",
      dependencies: [
        "HTTPMessages", "LinkPolicy", "StorekeeperLocks", "PostgresStorage", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "SQLStorage", "SQLiteStorage", "Storekeeper",
        "StorekeeperTesting",
      ],
      path: "Tests/Crash",
      exclude: ["run"],
      swiftSettings: settings),

    // Where the tests find the fixtures.
    .target(
      name: "StorekeeperFixtures", path: "Tests/StorekeeperFixtures", swiftSettings: settings),
    .testTarget(
      name: "ReceiptModelsTests",
      dependencies: ["ReceiptModels", "StorekeeperFixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPMessagesTests", dependencies: ["HTTPMessages"], swiftSettings: settings),
    .testTarget(
      name: "LinkPolicyTests", dependencies: ["LinkPolicy", "ReceiptModels", "StorekeeperWire"],
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
        "StorekeeperLocks", "PostgresStorage", "PurchaseStorage", "ReceiptModels", "SQLStorage",
        "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StorekeeperTests",
      dependencies: [
        "FileReceiptStorage", "StorekeeperFixtures", "HTTPMessages", "JWSVerifier", "LinkPolicy",
        "StorekeeperLocks", "PostgresStorage", "PurchaseStorage", "ReceiptModels",
        "ReceiptVerifier",
        "SQLStorage",
        "SQLiteStorage", "Storekeeper", "StorekeeperHTTP", "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SimulatorControlTests",
      dependencies: [
        "HTTPMessages", "JWSVerifier", "LinkPolicy", "StorekeeperLocks", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "StorekeeperSimulatorControl", "Storekeeper",
        "StorekeeperHTTP",
        "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StorekeeperHTTPTests",
      dependencies: [
        "HTTPMessages", "JWSVerifier", "LinkPolicy", "StorekeeperLocks", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "Storekeeper", "StorekeeperHTTP", "StorekeeperTesting",
        "StorekeeperWire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MicroHTTPServerTests",
      dependencies: ["HTTPMessages", "StorekeeperLocks", "StorekeeperMicroHTTPServer"],
      swiftSettings: settings),
    // OpenSSL's X509 functions, which judge our reader of certificates.
    .target(name: "StorekeeperCertificateJudge", path: "Tests/CertificateJudge"),
    .testTarget(
      name: "StorekeeperCryptoTests",
      dependencies: [
        "StorekeeperLocks", "StorekeeperCrypto", "StorekeeperFixtures",
        "StorekeeperCertificateJudge", "StorekeeperTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JWSVerifierTests",
      dependencies: [
        "JWSVerifier", "StorekeeperLocks", "ReceiptModels", "HTTPMessages", "StorekeeperCrypto",
        "StorekeeperTesting", "StorekeeperFixtures", "StorekeeperCertificateJudge",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ReceiptVerifierTests",
      dependencies: [
        "ReceiptVerifier", "JWSVerifier", "StorekeeperLocks", "ReceiptModels", "HTTPMessages",
        "StorekeeperCrypto", "StorekeeperTesting", "StorekeeperFixtures",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: ["CurlTransport", "HTTPMessages", "StorekeeperLocks", "URLSessionTransport"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
