/** A string as it stands, or a number outside of one. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Parses JSON whose numbers come back as the text that stood there: a double is not what was published. Throws
 * SyntaxError on anything that is no JSON.
 */
export function parseExactJson(json: string): unknown {
  JSON.parse(json)
  return JSON.parse(json.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}
