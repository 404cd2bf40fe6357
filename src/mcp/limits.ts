/** Rows that a tool of the MCP server returns at most. */
export const MCP_ROWS_MAX = 200

/** Characters of the result of a tool. A longer one is an error that asks for fewer rows. */
export const MCP_RESULT_CHARACTERS_MAX = 200_000

/** Characters of a message on the standard input of `netsaat mcp`. A longer line ends the command. */
export const MCP_LINE_CHARACTERS_MAX = 1024 * 1024

/** Milliseconds for a request of `netsaat mcp` to the service. */
export const MCP_REQUEST_TIMEOUT_MS = 60_000
