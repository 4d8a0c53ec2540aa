// The options of a task, which stand among the flags of the settings.

extension ArraySlice<String> {
  /// Removes an option without a value, and returns whether it was there.
  mutating func remove(option: String) -> Bool {
    guard let place = firstIndex(of: option) else { return false }
    remove(at: place)
    return true
  }

  /// Removes an option and its value, which follows it or an equals sign; returns nil if it is not there.
  ///
  /// - Throws: ``SettingsFailure``, which names what the value is, if there is none.
  mutating func removeValue(
    of option: String, _ kind: String
  ) throws(SettingsFailure) -> String? {
    guard let place = firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else {
      return nil
    }
    let argument = remove(at: place)
    if argument != option { return String(argument.dropFirst(option.utf8.count + 1)) }
    guard indices.contains(place), !self[place].hasPrefix("--") else {
      throw SettingsFailure("\(option) needs \(kind)")
    }
    return remove(at: place)
  }
}
