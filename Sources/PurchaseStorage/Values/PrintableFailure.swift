/// An error whose description holds no secret, so that the line of an incident shows it.
///
/// Of any other error only the type is shown.
package protocol PrintableFailure: Error {}
