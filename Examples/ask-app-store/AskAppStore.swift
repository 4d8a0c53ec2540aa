/// A program that asks the App Store Server API, and prints its answers as lines of JSON.
@main
struct AskAppStore {
  static func main() {}
}
