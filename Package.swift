// swift-tools-version: 6.2
import PackageDescription

// A flag of it on Linux, which is of no use here, would be warned of in every build.
#if os(Linux)
  let hiredisPackage: String? = nil
#else
  let hiredisPackage: String? = "hiredis"
#endif

let package = Package(
  name: "Storekeeper",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "JSONValues", targets: ["JSONValues"]),
    .library(name: "ReceiptModels", targets: ["ReceiptModels"]),
    .library(name: "HTTPMessages", targets: ["HTTPMessages"]),
    .library(name: "JWSVerifier", targets: ["JWSVerifier"]),
    .library(name: "ReceiptVerifier", targets: ["ReceiptVerifier"]),
    .library(name: "AppStoreServerAPI", targets: ["AppStoreServerAPI"]),
    .library(name: "GooglePlayVerifier", targets: ["GooglePlayVerifier"]),
    .library(name: "CurlTransport", targets: ["CurlTransport"]),
    .library(name: "MailDelivery", targets: ["MailDelivery"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .library(name: "LinkPolicy", targets: ["LinkPolicy"]),
    .library(name: "CreditPolicy", targets: ["CreditPolicy"]),
    .library(name: "EntitlementPolicy", targets: ["EntitlementPolicy"]),
    .library(name: "OrderPolicy", targets: ["OrderPolicy"]),
    .library(name: "CatalogFiles", targets: ["CatalogFiles"]),
    .library(name: "PurchaseStorage", targets: ["PurchaseStorage"]),
    .library(name: "InMemoryStorage", targets: ["InMemoryStorage"]),
    .library(name: "SQLStorage", targets: ["SQLStorage"]),
    .library(name: "SQLiteStorage", targets: ["SQLiteStorage"]),
    .library(name: "PostgresStorage", targets: ["PostgresStorage"]),
    .library(name: "MariaDBStorage", targets: ["MariaDBStorage"]),
    .library(name: "FileReceiptStorage", targets: ["FileReceiptStorage"]),
    .library(name: "RedisReceiptStorage", targets: ["RedisReceiptStorage"]),
    .library(name: "Storekeeper", targets: ["Storekeeper"]),
    .library(name: "StorekeeperHTTP", targets: ["StorekeeperHTTP"]),
    .library(name: "StorekeeperDesk", targets: ["StorekeeperDesk"]),
    .library(name: "StorekeeperTelemetry", targets: ["StorekeeperTelemetry"]),
    .library(name: "StorekeeperTesting", targets: ["StorekeeperTesting"]),
    .library(name: "StoreSimulators", targets: ["StoreSimulators"]),
  ],
  targets: [
    // Floor 0: JSON.
    .target(name: "JSONValues"),

    // Floor 1: vocabulary, messages, locks.
    .target(name: "ReceiptModels", dependencies: ["JSONValues"]),
    .target(name: "HTTPMessages", dependencies: ["JSONValues"]),
    .target(name: "StorekeeperLocks"),

    // Floor 1: C libraries.
    .systemLibrary(
      name: "CStorekeeperOpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CStorekeeperSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CStorekeeperPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CStorekeeperMariaDB", pkgConfig: "libmariadb",
      providers: [.apt(["libmariadb-dev"]), .brew(["mariadb-connector-c"])]),
    .systemLibrary(
      name: "CStorekeeperMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CStorekeeperCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CStorekeeperHiredis", pkgConfig: hiredisPackage,
      providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
    .systemLibrary(
      name: "CStorekeeperYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),

    // Floor 2: pure decisions, and the wrapper over OpenSSL.
    .target(name: "LinkPolicy", dependencies: ["JSONValues", "ReceiptModels"]),
    .target(name: "CreditPolicy", dependencies: ["JSONValues", "ReceiptModels"]),
    .target(name: "EntitlementPolicy", dependencies: ["JSONValues", "ReceiptModels"]),
    .target(name: "OrderPolicy", dependencies: ["JSONValues", "ReceiptModels"]),
    .target(
      name: "StorekeeperCrypto",
      dependencies: ["CStorekeeperOpenSSL", "JSONValues", "StorekeeperLocks"]),

    // Floor 3: verifiers, and the ports of storage.
    .target(
      name: "JWSVerifier",
      dependencies: [
        "HTTPMessages", "JSONValues", "ReceiptModels", "StorekeeperCrypto", "StorekeeperLocks",
      ]),
    .target(
      name: "ReceiptVerifier",
      dependencies: [
        "HTTPMessages", "JSONValues", "JWSVerifier", "ReceiptModels", "StorekeeperCrypto",
        "StorekeeperLocks",
      ]),
    .target(
      name: "AppStoreServerAPI",
      dependencies: [
        "HTTPMessages", "JSONValues", "JWSVerifier", "ReceiptModels", "StorekeeperLocks",
      ]),
    .target(
      name: "GooglePlayVerifier",
      dependencies: [
        "HTTPMessages", "JSONValues", "ReceiptModels", "StorekeeperCrypto", "StorekeeperLocks",
      ]),
    .target(
      name: "PurchaseStorage",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "JSONValues", "LinkPolicy", "OrderPolicy",
        "ReceiptModels",
      ]),

    // Floor 4: the records in SQL, and the use cases.
    .target(
      name: "SQLStorage",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "JSONValues", "LinkPolicy", "OrderPolicy",
        "PurchaseStorage", "ReceiptModels", "StorekeeperLocks",
      ]),
    .target(
      name: "Storekeeper",
      dependencies: [
        "AppStoreServerAPI", "CreditPolicy", "EntitlementPolicy", "GooglePlayVerifier",
        "HTTPMessages", "JSONValues", "JWSVerifier", "LinkPolicy", "OrderPolicy", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "StorekeeperCrypto", "StorekeeperLocks",
      ]),

    // Floor 5: adapters.
    .target(
      name: "StorekeeperHTTP",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "GooglePlayVerifier", "HTTPMessages", "JSONValues",
        "JWSVerifier", "LinkPolicy", "OrderPolicy", "PurchaseStorage", "ReceiptModels",
        "ReceiptVerifier", "Storekeeper", "StorekeeperCrypto",
      ]),
    .target(
      name: "StorekeeperDesk",
      dependencies: [
        "AppStoreServerAPI", "CreditPolicy", "EntitlementPolicy", "GooglePlayVerifier",
        "HTTPMessages", "JSONValues", "JWSVerifier", "LinkPolicy", "OrderPolicy", "PurchaseStorage",
        "ReceiptModels", "Storekeeper", "StorekeeperCrypto", "StorekeeperHTTP",
      ]),
    .target(
      name: "StorekeeperTelemetry",
      dependencies: [
        "HTTPMessages", "JSONValues", "PurchaseStorage", "ReceiptModels", "Storekeeper",
        "StorekeeperLocks",
      ]),
    .target(
      name: "InMemoryStorage",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "LinkPolicy", "OrderPolicy", "PurchaseStorage",
        "ReceiptModels", "StorekeeperLocks",
      ]),
    .target(
      name: "FileReceiptStorage",
      dependencies: ["PurchaseStorage", "ReceiptModels", "StorekeeperLocks"]),
    .target(
      name: "RedisReceiptStorage",
      dependencies: [
        "CStorekeeperCurl", "CStorekeeperHiredis", "HTTPMessages", "JSONValues", "PurchaseStorage",
        "ReceiptModels", "StorekeeperCrypto", "StorekeeperLocks",
      ]),
    .target(
      name: "SQLiteStorage",
      dependencies: [
        "CStorekeeperSQLite", "JSONValues", "PurchaseStorage", "ReceiptModels", "SQLStorage",
        "StorekeeperLocks",
      ]),
    .target(
      name: "PostgresStorage",
      dependencies: [
        "CStorekeeperPostgreSQL", "JSONValues", "PurchaseStorage", "ReceiptModels", "SQLStorage",
        "StorekeeperLocks",
      ]),
    .target(
      name: "MariaDBStorage",
      dependencies: ["CStorekeeperMariaDB", "JSONValues", "PurchaseStorage", "SQLStorage"]),
    .target(
      name: "CurlTransport",
      dependencies: ["CStorekeeperCurl", "HTTPMessages", "JSONValues", "StorekeeperLocks"]),
    .target(
      name: "MailDelivery",
      dependencies: [
        "CStorekeeperCurl", "HTTPMessages", "JSONValues", "PurchaseStorage", "ReceiptModels",
        "Storekeeper", "StorekeeperCrypto", "StorekeeperLocks",
      ]),
    .target(
      name: "CatalogFiles",
      dependencies: [
        "CStorekeeperYAML", "CreditPolicy", "EntitlementPolicy", "JSONValues", "ReceiptModels",
        "Storekeeper", "StorekeeperCrypto",
      ]),
    .target(name: "URLSessionTransport", dependencies: ["HTTPMessages", "StorekeeperLocks"]),

    // Floor 6: test support for this package and its hosts.
    .target(
      name: "StorekeeperTesting",
      dependencies: [
        "CreditPolicy", "CStorekeeperOpenSSL", "EntitlementPolicy", "HTTPMessages", "JSONValues",
        "JWSVerifier", "LinkPolicy", "OrderPolicy", "PurchaseStorage", "ReceiptModels",
        "ReceiptVerifier", "StorekeeperCrypto", "StorekeeperLocks",
      ]),
    // The stores, as their clients see them.
    .target(
      name: "StoreSimulators",
      dependencies: [
        "AppStoreServerAPI", "EntitlementPolicy", "GooglePlayVerifier", "HTTPMessages",
        "JSONValues", "JWSVerifier", "LinkPolicy", "OrderPolicy", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "Storekeeper", "StorekeeperCrypto", "StorekeeperLocks",
        "StorekeeperTesting",
      ]),

    // Example programs, and the modules that several of them share.
    .executableTarget(
      name: "decide-link",
      dependencies: [
        "JSONValues", "LinkPolicy", "ReceiptModels", "SQLStorage", "StorekeeperToolSupport",
        "StorekeeperHTTP",
      ],
      path: "Examples/decide-link"),
    .executableTarget(
      name: "decide-credit",
      dependencies: ["CreditPolicy", "JSONValues", "ReceiptModels", "StorekeeperToolSupport"],
      path: "Examples/decide-credit"),
    .executableTarget(
      name: "decide-entitlements",
      dependencies: ["EntitlementPolicy", "JSONValues", "ReceiptModels", "StorekeeperToolSupport"],
      path: "Examples/decide-entitlements"),
    .executableTarget(
      name: "decide-order",
      dependencies: [
        "JSONValues", "OrderPolicy", "ReceiptModels", "StorekeeperHTTP", "StorekeeperToolSupport",
      ],
      path: "Examples/decide-order"),
    .executableTarget(
      name: "seal-catalog",
      dependencies: ["CatalogFiles", "EntitlementPolicy", "JSONValues", "StorekeeperToolSupport"],
      path: "Examples/seal-catalog"),
    .executableTarget(
      name: "subscription-walkthrough",
      dependencies: [
        "HTTPMessages", "InMemoryStorage", "JSONValues", "LinkPolicy", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "SQLiteStorage", "Storekeeper", "StorekeeperHTTP",
        "StoreSimulators",
        "StorekeeperTesting",
      ],
      path: "Examples/subscription-walkthrough"),
    .target(
      name: "StorekeeperToolSupport",
      dependencies: ["JSONValues", "ReceiptModels"],
      path: "Examples/ToolSupport"),
    .executableTarget(
      name: "verify-signed-data",
      dependencies: ["JSONValues", "JWSVerifier", "ReceiptModels", "StorekeeperToolSupport"],
      path: "Examples/verify-signed-data"),
    .executableTarget(
      name: "ask-app-store",
      dependencies: [
        "AppStoreServerAPI", "CurlTransport", "HTTPMessages", "JSONValues", "JWSVerifier",
        "ReceiptModels", "StorekeeperToolSupport",
      ],
      path: "Examples/ask-app-store"),
    .executableTarget(
      name: "audit-ledger",
      dependencies: [
        "JSONValues", "MariaDBStorage", "PostgresStorage", "PurchaseStorage", "ReceiptModels",
        "SQLStorage", "SQLiteStorage", "Storekeeper", "StorekeeperLocks",
      ],
      path: "Examples/audit-ledger"),
    .executableTarget(
      name: "inspect-receipt",
      dependencies: [
        "JSONValues", "JWSVerifier", "ReceiptModels", "ReceiptVerifier", "StorekeeperToolSupport",
      ],
      path: "Examples/inspect-receipt"),
    .executableTarget(
      name: "make-test-data",
      dependencies: ["JSONValues", "ReceiptModels", "StorekeeperTesting"],
      path: "Examples/make-test-data"),
    .target(
      name: "StorekeeperSimulatorControl",
      dependencies: [
        "HTTPMessages", "JSONValues", "ReceiptModels", "ReceiptVerifier", "StoreSimulators",
        "StorekeeperTesting",
      ],
      path: "Examples/app-store-simulator/Control",
      resources: [.embedInCode("page.html")]),
    .executableTarget(
      name: "app-store-simulator",
      dependencies: [
        "CurlTransport", "HTTPMessages", "ReceiptModels", "StoreSimulators",
        "StorekeeperMicroHTTPServer", "StorekeeperSimulatorControl",
      ],
      path: "Examples/app-store-simulator/Program"),
    .executableTarget(
      name: "storekeeper-embedding",
      dependencies: [
        "HTTPMessages", "InMemoryStorage", "JWSVerifier", "LinkPolicy", "PurchaseStorage",
        "ReceiptModels", "Storekeeper", "StorekeeperMicroHTTPServer", "StorekeeperTesting",
        "StoreSimulators",
      ],
      path: "Examples/embedding"),
    .target(
      name: "StorekeeperMicroHTTPServer",
      dependencies: ["CStorekeeperMicroHTTPD", "HTTPMessages", "StorekeeperLocks"],
      path: "Examples/MicroHTTPServer"),
    .executableTarget(
      name: "storekeeper-server",
      dependencies: [
        "AppStoreServerAPI", "CatalogFiles", "CreditPolicy", "CurlTransport", "EntitlementPolicy",
        "FileReceiptStorage", "GooglePlayVerifier", "HTTPMessages", "InMemoryStorage", "JSONValues",
        "JWSVerifier", "LinkPolicy", "MailDelivery", "MariaDBStorage", "OrderPolicy",
        "PostgresStorage", "PurchaseStorage", "ReceiptModels", "ReceiptVerifier",
        "RedisReceiptStorage",
        "SQLiteStorage", "SQLStorage", "Storekeeper", "StorekeeperDesk", "StorekeeperHTTP",
        "StorekeeperLocks", "StorekeeperMicroHTTPServer", "StorekeeperTelemetry",
        "StorekeeperToolSupport",
      ],
      path: "Examples/storekeeper-server"),

    // The checker of statements that an app copies, and a program to try it.
    .target(
      name: "StorekeeperOnDevice", dependencies: ["JWSVerifier"],
      path: "Examples/on-device/Checker"),
    .executableTarget(
      name: "verify-statement", dependencies: ["StorekeeperOnDevice"],
      path: "Examples/on-device/Program"),

    // Tests. The crash test is a program of its own, because its processes are killed.
    .executableTarget(
      name: "storekeeper-crash-test",
      dependencies: [
        "HTTPMessages", "JSONValues", "LinkPolicy", "MariaDBStorage", "PostgresStorage",
        "PurchaseStorage", "ReceiptModels", "ReceiptVerifier", "SQLStorage", "SQLiteStorage",
        "StoreSimulators", "Storekeeper", "StorekeeperLocks", "StorekeeperTesting",
      ],
      path: "Tests/Crash",
      exclude: ["run"]),
    // Reads documents of the stores with our models, for the comparison with Apple's and Google's own.
    .executableTarget(
      name: "storekeeper-model-reader",
      dependencies: ["AppStoreServerAPI", "GooglePlayVerifier", "JSONValues", "ReceiptModels"],
      path: "Tests/OfficialClients/Models"),
    // Sends and verifies webhooks, for the comparison with the library of Standard Webhooks.
    .executableTarget(
      name: "storekeeper-webhook-peer",
      dependencies: [
        "HTTPMessages", "InMemoryStorage", "JSONValues", "PurchaseStorage", "ReceiptModels",
        "Storekeeper",
      ],
      path: "Tests/OfficialClients/Webhooks"),
    .target(
      name: "StorekeeperFixtures",
      dependencies: ["HTTPMessages", "Storekeeper", "StorekeeperLocks"],
      path: "Tests/StorekeeperFixtures"),
    // OpenSSL's X509 functions, with which the tests compare our reader of certificates.
    .target(name: "StorekeeperCertificateJudge", path: "Tests/CertificateJudge"),
    // Sets OpenSSL up for the end of the process that runs the tests.
    .target(name: "StorekeeperOpenSSLAtExit", path: "Tests/OpenSSLAtExit"),
    .testTarget(
      name: "JSONValuesTests", dependencies: ["JSONValues", "StorekeeperFixtures"]),
    .testTarget(
      name: "ReceiptModelsTests",
      dependencies: ["JSONValues", "ReceiptModels", "StorekeeperFixtures"]),
    .testTarget(name: "HTTPMessagesTests", dependencies: ["HTTPMessages"]),
    .testTarget(
      name: "LinkPolicyTests",
      dependencies: ["JSONValues", "LinkPolicy", "ReceiptModels", "StorekeeperHTTP"]),
    .testTarget(
      name: "CatalogFilesTests",
      dependencies: [
        "CatalogFiles", "CreditPolicy", "EntitlementPolicy", "ReceiptModels", "Storekeeper",
        "StorekeeperCrypto", "StorekeeperFixtures",
      ]),
    .testTarget(
      name: "OrderPolicyTests",
      dependencies: ["JSONValues", "OrderPolicy", "ReceiptModels", "StorekeeperHTTP"]),
    .testTarget(
      name: "EntitlementPolicyTests",
      dependencies: ["EntitlementPolicy", "JSONValues", "ReceiptModels", "StorekeeperFixtures"]),
    .testTarget(
      name: "CreditPolicyTests",
      dependencies: ["CreditPolicy", "JSONValues", "ReceiptModels", "StorekeeperFixtures"]),
    .testTarget(
      name: "PurchaseStorageTests",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "InMemoryStorage", "JSONValues", "OrderPolicy",
        "PurchaseStorage", "ReceiptModels", "StorekeeperTesting", "StoreSimulators",
      ]),
    .testTarget(
      name: "SQLiteStorageTests",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "InMemoryStorage", "OrderPolicy", "PurchaseStorage",
        "ReceiptModels", "SQLiteStorage", "SQLStorage", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "PostgresStorageTests",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "InMemoryStorage", "OrderPolicy", "PostgresStorage",
        "PurchaseStorage", "ReceiptModels", "SQLStorage", "StorekeeperFixtures", "StorekeeperLocks",
        "StorekeeperTesting",
      ]),
    .testTarget(
      name: "MariaDBStorageTests",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "InMemoryStorage", "LinkPolicy", "MariaDBStorage",
        "OrderPolicy", "PurchaseStorage", "ReceiptModels", "SQLStorage", "StorekeeperFixtures",
        "StorekeeperLocks", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "RedisReceiptStorageTests",
      dependencies: [
        "InMemoryStorage", "LinkPolicy", "PurchaseStorage", "ReceiptModels", "ReceiptVerifier",
        "RedisReceiptStorage", "Storekeeper", "StorekeeperFixtures", "StorekeeperLocks",
        "StorekeeperTesting", "StoreSimulators",
      ]),
    .testTarget(
      name: "StorekeeperTests",
      dependencies: [
        "AppStoreServerAPI", "CatalogFiles", "CreditPolicy", "EntitlementPolicy",
        "FileReceiptStorage", "GooglePlayVerifier", "HTTPMessages", "InMemoryStorage",
        "JSONValues", "JWSVerifier", "LinkPolicy", "MariaDBStorage", "OrderPolicy",
        "PostgresStorage", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "SQLiteStorage", "SQLStorage", "Storekeeper",
        "StorekeeperCrypto", "StorekeeperFixtures", "StorekeeperHTTP", "StorekeeperLocks",
        "StorekeeperOnDevice", "StorekeeperTesting", "StoreSimulators",
      ]),
    .testTarget(
      name: "StorekeeperTestingTests",
      dependencies: [
        "StoreSimulators", "StorekeeperCertificateJudge", "StorekeeperCrypto", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "StoreSimulatorsTests",
      dependencies: [
        "GooglePlayVerifier", "HTTPMessages", "JSONValues", "ReceiptModels", "StoreSimulators",
        "StorekeeperCrypto", "StorekeeperFixtures", "StorekeeperLocks", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "SimulatorControlTests",
      dependencies: [
        "HTTPMessages", "InMemoryStorage", "JSONValues", "JWSVerifier", "LinkPolicy",
        "PurchaseStorage", "ReceiptModels", "ReceiptVerifier", "Storekeeper", "StorekeeperCrypto",
        "StoreSimulators",
        "StorekeeperHTTP", "StorekeeperLocks", "StorekeeperSimulatorControl", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "StorekeeperHTTPTests",
      dependencies: [
        "CreditPolicy", "EntitlementPolicy", "GooglePlayVerifier", "HTTPMessages",
        "InMemoryStorage", "JSONValues", "JWSVerifier", "LinkPolicy", "OrderPolicy",
        "PurchaseStorage", "ReceiptModels", "ReceiptVerifier", "Storekeeper", "StorekeeperCrypto",
        "StorekeeperFixtures", "StorekeeperHTTP", "StorekeeperLocks", "StorekeeperTesting",
        "StoreSimulators",
      ]),
    .testTarget(
      name: "StorekeeperDeskTests",
      dependencies: [
        "AppStoreServerAPI", "CreditPolicy", "EntitlementPolicy", "GooglePlayVerifier",
        "HTTPMessages", "InMemoryStorage", "JWSVerifier", "LinkPolicy", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "StoreSimulators", "Storekeeper", "StorekeeperDesk",
        "StorekeeperHTTP", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "StorekeeperTelemetryTests",
      dependencies: [
        "HTTPMessages", "InMemoryStorage", "JSONValues", "LinkPolicy", "PurchaseStorage",
        "ReceiptModels", "ReceiptVerifier", "Storekeeper", "StorekeeperFixtures",
        "StorekeeperHTTP", "StorekeeperLocks", "StorekeeperTelemetry", "StorekeeperTesting",
        "StoreSimulators",
      ]),
    .testTarget(
      name: "MailDeliveryTests",
      dependencies: [
        "InMemoryStorage", "MailDelivery", "PurchaseStorage", "ReceiptModels", "Storekeeper",
        "StorekeeperFixtures", "StorekeeperLocks", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "MicroHTTPServerTests",
      dependencies: ["HTTPMessages", "StorekeeperLocks", "StorekeeperMicroHTTPServer"]),
    .testTarget(
      name: "StorekeeperCryptoTests",
      dependencies: [
        "CStorekeeperOpenSSL", "StorekeeperCertificateJudge", "StorekeeperCrypto",
        "StorekeeperFixtures", "StorekeeperLocks", "StorekeeperOpenSSLAtExit",
        "StorekeeperTesting",
      ]),
    .testTarget(
      name: "JWSVerifierTests",
      dependencies: [
        "HTTPMessages", "JSONValues", "JWSVerifier", "ReceiptModels",
        "StorekeeperCertificateJudge", "StorekeeperCrypto", "StorekeeperFixtures",
        "StorekeeperLocks", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "AppStoreServerAPITests",
      dependencies: [
        "AppStoreServerAPI", "HTTPMessages", "JSONValues", "JWSVerifier", "ReceiptModels",
        "ReceiptVerifier", "StoreSimulators", "StorekeeperCrypto", "StorekeeperFixtures",
        "StorekeeperLocks", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "GooglePlayVerifierTests",
      dependencies: [
        "GooglePlayVerifier", "HTTPMessages", "JSONValues", "ReceiptModels", "StorekeeperCrypto",
        "StorekeeperFixtures", "StorekeeperLocks", "StorekeeperTesting",
      ]),
    .testTarget(
      name: "ReceiptVerifierTests",
      dependencies: [
        "HTTPMessages", "JSONValues", "JWSVerifier", "ReceiptModels", "ReceiptVerifier",
        "StoreSimulators", "StorekeeperCrypto", "StorekeeperFixtures", "StorekeeperLocks",
        "StorekeeperTesting",
      ]),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: [
        "CStorekeeperOpenSSL", "CurlTransport", "HTTPMessages", "StorekeeperLocks",
        "URLSessionTransport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
  ]
}

// Tests that both database servers run name the store of theirs by this condition.
for target in package.targets where target.name == "MariaDBStorageTests" {
  target.swiftSettings?.append(.define("MARIADB"))
}
