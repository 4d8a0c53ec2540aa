// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Storekeeper", path: "../..")],
  targets: [
    .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto"),
    // OpenSSL alone, in C: the bound that our figures are ratios of.
    .target(name: "CBaseline", dependencies: ["CLibcrypto"]),
    .systemLibrary(name: "CLibsqlite3", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq"),
    .systemLibrary(name: "CLibmariadb", pkgConfig: "libmariadb"),
    // SQLite, PostgreSQL and MariaDB alone, in C, likewise.
    .target(
      name: "CEngines", dependencies: ["CBaseline", "CLibsqlite3", "CLibpq", "CLibmariadb"]),
    // Counts of allocations and instructions.
    .target(name: "CCounting"),
    // The coder of CatalogFiles, which no host sees.
    .target(name: "LZFSECoder"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CBaseline", "CCounting", "CEngines", "LZFSECoder",
        .product(name: "AppStoreServerAPI", package: "Storekeeper"),
        .product(name: "CatalogFiles", package: "Storekeeper"),
        .product(name: "CreditPolicy", package: "Storekeeper"),
        .product(name: "CurlTransport", package: "Storekeeper"),
        .product(name: "EntitlementPolicy", package: "Storekeeper"),
        .product(name: "GooglePlayVerifier", package: "Storekeeper"),
        .product(name: "HTTPMessages", package: "Storekeeper"),
        .product(name: "InMemoryStorage", package: "Storekeeper"),
        .product(name: "LinkPolicy", package: "Storekeeper"),
        .product(name: "MariaDBStorage", package: "Storekeeper"),
        .product(name: "PostgresStorage", package: "Storekeeper"),
        .product(name: "PurchaseStorage", package: "Storekeeper"),
        .product(name: "JSONValues", package: "Storekeeper"),
        .product(name: "ReceiptModels", package: "Storekeeper"),
        .product(name: "JWSVerifier", package: "Storekeeper"),
        .product(name: "ReceiptVerifier", package: "Storekeeper"),
        .product(name: "SQLStorage", package: "Storekeeper"),
        .product(name: "SQLiteStorage", package: "Storekeeper"),
        .product(name: "StoreSimulators", package: "Storekeeper"),
        .product(name: "Storekeeper", package: "Storekeeper"),
        .product(name: "StorekeeperHTTP", package: "Storekeeper"),
        .product(name: "StorekeeperTelemetry", package: "Storekeeper"),
        .product(name: "StorekeeperTesting", package: "Storekeeper"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
