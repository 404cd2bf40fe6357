/**
 * Parsed JSON whose shape the reader does not declare: a response of the API, a message of a socket, a file. A test
 * asserts the fields that it reads, so a type for each of them would repeat its assertions.
 */
// biome-ignore lint/suspicious/noExplicitAny: allowed only here and in the acceptance client
export type Json = any
