export { MCP_LINE_CHARACTERS_MAX, MCP_REQUEST_TIMEOUT_MS } from './limits.ts'
export { type ApiResponse, type McpOptions, respond, unreadable } from './protocol.ts'
export { mcpRoutes } from './routes.ts'
export type { ApiCall } from './tools.ts'
