"""Compiles the Swift of the guides, and runs what can run: check.py BUILT

BUILT is the folder of what `swift build` has built. A block with imports is a file of its own; so is one
that declares a type at its margin. Any other block becomes the body of a function, with the values of GIVEN
as its parameters. Packages of others are declared in Stubs. A block after the line
<!-- not compiled: REASON --> is skipped and listed.

The blocks that a file of Running calls are run too; see running.py.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

import running

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Each imports only stubs before it.
STUBS = ["NIOCore", "NIOHTTP1", "Logging", "Metrics", "Tracing", "Crypto", "HTTPTypes", "ServiceLifecycle",
         "Hummingbird", "HummingbirdAuth", "Vapor", "StoreKit"]
# Pages with the code of an app, which names every import and uses none of the package.
APPS = {"from-an-ios-app": ""}
# The values of the host that the blocks of a page use. These pages begin with a manifest and name every import.
EMBEDDING = {
    "getting-started": "",
    "embed-in-vapor": "app: Application, purchases: Purchases",
    "embed-in-hummingbird":
        "router: Router<BasicAuthRequestContext<User>>, purchases: Purchases",
}
GIVEN = {
    "README": "",
    "adopting-tables": "url: String",
    "app-store-simulator":
        "notifications: NotificationService, appStore: AppStoreSimulator, purchase: TestPurchase,"
        " another: TestPurchase, server: any HTTPTransport",
    "asking-the-app-store":
        "pem: String, issuerID: String, transactionID: String, originalTransactionID: String,"
        " orderNumber: String, storedRevision: String?, now: Date, start: Date, yesterday: Date,"
        " identifier: UUID, imageID: UUID, messageID: UUID, referenceID: UUID, token: UUID, png: [UInt8],"
        " externalPurchaseID: String, lineItems: [ExternalPurchaseLineItem],"
        " renewalInfo: Verified<RenewalInfo>, verifier: SignedDataVerifier,"
        " appStore: AppStoreServerClient, store: SQLiteStore, mailer: any OutboxHandler,"
        " accounts: any AccountDirectory, products: ProductMap, subscriptions: SubscriptionService,"
        " notifications: NotificationService, tokens: BearerTokens",
    "asking-google-play":
        "appStore: AppStoreServerClient, play: GooglePlayClient, store: SQLiteStore,"
        " mailer: any OutboxHandler, orderID: String, products: ProductMap, levels: SubscriptionLevels,"
        " credits: CreditService",
    "bring-your-own-database":
        "store: SQLiteStore, mailer: any OutboxHandler, users: any AccountDirectory,"
        " products: ProductMap, path: String",
    "being-told":
        "store: SQLiteStore, users: any AccountDirectory, secret: String, shop: PurchaseContext,"
        " delivery: OutboxDelivery, body: [UInt8], headers: HTTPHeaders,"
        " notifications: inout NotificationService,"
        " settle: (Int, AccountID?) async throws -> Void,"
        " place: () async throws -> Int, handle: (PurchaseEvent) async throws -> Void,"
        " keep: (Int?) async throws -> Void",
    "erasing-an-account": "shop: PurchaseContext, subscriptions: SubscriptionService",
    "figures-and-traces":
        "shop: inout PurchaseContext, exporter: OTLPExporter, work: BackgroundWork",
    "money-figures": "store: SQLiteStore, users: any AccountDirectory, figures: MoneyFigures, today: CalendarDay",
    "moving-in":
        "client: AppStoreServerClient, play: GooglePlayClient, shop: PurchaseContext,"
        " subscriptions: SubscriptionService, entitlements: EntitlementService,"
        " pieces: @escaping @Sendable (String) -> @Sendable () async throws -> [UInt8]?, path: String",
    "operating":
        "store: SQLiteStore, logger: Logger, shop: PurchaseContext, delivery: OutboxDelivery,"
        " refreshes: RefreshJob, entitlements: EntitlementService, retention: RetentionJob,"
        " recovery: NotificationRecovery, voided: VoidedPurchaseRecovery, backupDate: Date",
    "receiving-notifications": "shop: PurchaseContext, notifications: NotificationService, body: [UInt8],"
        " subscriptions: SubscriptionService?, credits: CreditService?, entitlements: EntitlementService?,"
        " orders: OrderService?",
    "owning-subscriptions":
        "path: String, accounts: any AccountDirectory, client: VerifyReceiptClient, receipt: String,"
        " signedTransactionInfo: String, signedRenewalInfo: String, transaction: Verified<Transaction>,"
        " renewalInfo: Verified<RenewalInfo>,"
        " accountID: AccountID, otherAccountID: AccountID, originalTransactionID: String,"
        " subscriptions: SubscriptionService, verifier: SignedDataVerifier, secret: AppSharedSecret,"
        " body: [UInt8], store: SQLiteStore, mailer: any OutboxHandler, events: any OutboxHandler,"
        " password: String, account: Account,"
        " subscription: Subscription, someoneElses: Membership, now: Date",
    "selling-credits":
        "path: String, accounts: any AccountDirectory, products: CreditProducts, store: SQLiteStore,"
        " verifier: SignedDataVerifier, credits: CreditService, subscriptions: SubscriptionService,"
        " notifications: NotificationService, claim: GrantClaim, userID: AccountID,"
        " transactionID: String, signedTransactionInfo: String, signedPayload: String, file: URL,"
        " shop: PurchaseContext, play: GooglePlayClient, purchaseToken: String,"
        " pushTokens: PushTokenVerifier,"
        " pem: String, secret: [UInt8], sessions: SessionTokens, tokens: BearerTokens,"
        " subscriptionAPI: SubscriptionAPI, creditAPI: CreditAPI, request: HTTPRequestMessage",
    "testing-your-code": "",
    "two-contracts":
        "subscriptions: SubscriptionService, notifications: NotificationService,"
        " tokens: BearerTokens",
    "two-stores-one-order":
        "file: URL, keyFile: URL, path: String, secret: AppSharedSecret, verifier: SignedDataVerifier,"
        " appStore: AppStoreServerClient, accounts: any AccountDirectory, levels: SubscriptionLevels,"
        " store: SQLiteStore, orders: OrderService, play: GooglePlayClient, transport: CurlHTTPTransport,"
        " userID: AccountID, purchaseToken: String, mailer: any OutboxHandler, sessions: SessionTokens,"
        " notifications: PlayNotificationService, request: HTTPRequestMessage, catalog: ProductCatalog,"
        " source: PlayPurchaseSource, subscriptions: SubscriptionService,"
        " entitlements: EntitlementService, shop: PurchaseContext",
    "verifying-receipts":
        "text: String, now: Date, deviceIdentifier: [UInt8], transport: any HTTPTransport,"
        " secret: String, verifier: AppReceiptVerifier, client: VerifyReceiptClient,"
        " transactions: [Transaction], renewals: [RenewalInfo]",
    "verifying-signed-data":
        "signedTransactionInfo: String, signedPayload: String, tokens: [String], apps: [App],"
        " transport: any HTTPTransport, verifier: SignedDataVerifier, purchase: Transaction",
    "statements":
        "file: URL, keys: StatementKeys, entitlements: EntitlementService, statements: StatementService,"
        " userID: AccountID, entitlementAPI: inout EntitlementAPI",
    "desk": "shop: PurchaseContext",
    "who-may-use-what":
        "file: URL, keyFile: URL, path: String, accounts: any AccountDirectory, catalog: ProductCatalog,"
        " appStore: AppStoreServerClient, verifier: SignedDataVerifier, wholeStore: SQLiteStore,"
        " subscriptions: SubscriptionService, entitlements: EntitlementService,"
        " notifications: NotificationService, evidence: UploadedEvidence, signedTransactionInfo: String,"
        " userID: AccountID, answer: Entitlements, body: [UInt8], sessions: SessionTokens,"
        " tokens: BearerTokens, request: HTTPRequestMessage, subscriptionAPI: SubscriptionAPI,"
        " creditAPI: CreditAPI, entitlementAPI: EntitlementAPI, start: Date, end: Date, now: Date",
}
# Further modules that the blocks of a page use.
FURTHER = {"figures-and-traces": {"ServiceLifecycle", "Synchronization", "Tracing"}}
# Declarations that the text of a page leaves to the reader.
LEFT_TO_READER = {
    "owning-subscriptions": """
func log(_ text: String) {}
""",
    "two-stores-one-order": """
func log(_ text: String) {}
""",
    "asking-the-app-store": """
func record(_ transaction: Verified<Transaction>) {}
func save(_ revision: String?, _ environment: AppStoreEnvironment?) {}
func ask(again date: Date) {}
""",
    "selling-credits": """
func lookUp(_ column: String, _ id: AccountID) async throws -> String? { nil }
func log(_ text: String) {}
""",
    "who-may-use-what": """
func log(_ text: String) {}
""",
    "bring-your-own-database": """
enum MyDatabase {
  static func inTransaction<Result: Sendable>(
    at path: String,
    _ body: SQLConnectionBody<Result>
  ) async throws -> Result { throw CancellationError() }
}
""",
}
MODULE_MAPS = [
    argument for path in glob.glob(f"{ROOT}/Sources/C*/module.modulemap")
    for argument in ("-Xcc", f"-fmodule-map-file={path}")]
HEADERS = [
    argument for flag in subprocess.run(
        ["pkg-config", "--cflags", "libcrypto", "sqlite3", "libpq", "libmariadb", "libcurl", "yaml-0.1"],
        capture_output=True, text=True, check=True).stdout.split()
    for argument in ("-Xcc", flag)]
FEATURES = ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"]


def compiler(folder, modules, *arguments):
    return subprocess.run(
        ["swiftc", "-swift-version", "6", "-parse-as-library", "-I", folder, "-I", modules,
         *MODULE_MAPS, *HEADERS, *arguments], cwd=folder)


def blocks(page):
    """The Swift of a page, without the blocks that are marked as not compiled."""
    found = running.blocks(page)
    return [block for block in found if not block.reason], [block.reason for block in found if block.reason]


def write(folder, name, code):
    path = f"{folder}/{name}.swift"
    with open(path, "w", encoding="utf-8") as file:
        file.write(code)
    return path


def sources(page, folder, parameters, imports):
    """One file for each block of a page."""
    (pieces, skipped), paths = blocks(page), []
    for reason in skipped:
        print(f"{page}: a block is not compiled: {reason}")
    for number, block in enumerate(pieces):
        # The blocks of a page are one module.
        code = re.sub(r"^@testable import \w+$", "", block.code, flags=re.M)
        if code.startswith("// swift-tools-version"):
            check_manifest(code, folder)
            continue
        if not re.search(r"^import ", code, re.M):
            if not block.types and not re.search(r"^extension ", code, re.M):
                result = " -> String" if re.search(r"^\s+return ", code, re.M) else ""
                code = f"func piece{number}({parameters}) async throws{result} {{\n{code}}}\n"
            code = "".join(f"import {name}\n" for name in sorted(imports)) + "\n" + code
        paths.append(write(folder, f"{page}-{number}", code))
    return paths


def check_manifest(code, folder):
    """Whether the manifest is Swift. Its packages are not fetched."""
    path = write(folder, "Package", code)
    subprocess.run(["swiftc", "-frontend", "-parse", path], check=True)


def check_imports(page, imports):
    """Whether the manifest of a page has every module that its files import."""
    missing = imports - {"Foundation", "Testing"} - set(re.findall(r'name: "(\w+)"', blocks(page)[0][0].code))
    if missing:
        sys.exit(f"{page}: imported and not in Package.swift: {sorted(missing)}")


def own_modules(modules):
    """The public modules of the package, all of which every other page may use."""
    catalogues = glob.glob(f"{ROOT}/Sources/*/*.docc")
    return {os.path.basename(path)[:-5] for path in catalogues} & {
        name[:-12] for name in os.listdir(modules) if name.endswith(".swiftmodule")}


def main():
    built = os.path.abspath(sys.argv[1])
    modules = f"{built}/Modules"
    swift = os.path.dirname(os.path.realpath(
        subprocess.run(["which", "swiftc"], capture_output=True, text=True, check=True).stdout.strip()))
    testing = ["-plugin-path", f"{swift}/../lib/swift/host/plugins/testing"]
    ours = own_modules(modules) | {"Foundation", "Testing", "Logging", "Metrics"}
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for stub in STUBS:
            compiler(folder, modules, "-emit-module", "-module-name", stub,
                     f"{HERE}/Stubs/{stub}.swift").check_returncode()
        for page, parameters in {**EMBEDDING, **APPS, **GIVEN}.items():
            if page in APPS:
                imports, more, options = set(), [], ["-warnings-as-errors"]
            elif page in EMBEDDING:
                imports = set(re.findall(r"^import (\w+)$", "".join(block.code for block in blocks(page)[0][1:]), re.M))
                check_imports(page, imports)
                more = [f"{HERE}/names.swift"] if "vapor" in page else []
                options = ["-warnings-as-errors", *testing]
            else:
                imports, more = ours | FURTHER.get(page, set()), []
                # Expressions that only show a value are unused.
                options = ["-suppress-warnings", *FEATURES, *testing]
                if page in LEFT_TO_READER:
                    code = "".join(f"import {name}\n" for name in sorted(ours))
                    more = [write(folder, f"{page}-left", code + LEFT_TO_READER[page])]
            files = sources(page, folder, parameters, imports)
            if files and compiler(folder, modules, "-typecheck", *options, *files, *more).returncode:
                failed.append(page)
            else:
                print(f"{page}: {len(files)} blocks compile")
        if failed:
            sys.exit(f"the code of these pages does not compile: {', '.join(failed)}")
        check_complete()
        running.run([*EMBEDDING, *GIVEN], LEFT_TO_READER, sorted(ours - {"Testing", "Logging", "Metrics"}),
                    folder, built, [*MODULE_MAPS, *HEADERS, *FEATURES])


def check_complete():
    """Whether every page with Swift is named above."""
    named = {**EMBEDDING, **APPS, **GIVEN}
    unknown = [page for page in running.all_pages() if page not in named and blocks(page)[0]]
    if unknown:
        sys.exit(f"not named in Tests/Guides/check.py: {', '.join(unknown)}")


main()
