import { makeAjv } from '../platform/http/validation.ts'
import { packageVersion } from '../platform/settings/version.ts'
import { MCP_RESULT_CHARACTERS_MAX } from './limits.ts'
import { type ApiCall, TOOLS, type Tool } from './tools.ts'

/**
 * The Model Context Protocol (modelcontextprotocol.io) for a server that only has tools: JSON-RPC 2.0 without state,
 * so that any process can answer any message. Each transport passes one message and sends the response, if any.
 */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

export interface ApiResponse {
  readonly status: number
  /** The body as text. */
  readonly text: string
  /** The number of all rows of a list that is a plain array. */
  readonly total?: string | undefined
}

export interface McpOptions {
  readonly allowsWrites: boolean
  readonly callApi: (call: ApiCall) => Promise<ApiResponse>
}

interface RpcError {
  readonly code: number
  readonly message: string
}
export interface RpcResponse {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
  readonly result?: object
  readonly error?: RpcError
}

/** Codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602

class RpcFault extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const failure = (id: RpcResponse['id'], code: number, message: string): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** The response to a text that is no JSON. */
export const unreadable = (): RpcResponse => failure(null, PARSE_ERROR, 'the message is not JSON')

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Responds to a message; undefined for a notification or a response, which have none. */
export async function respond(message: unknown, options: McpOptions): Promise<RpcResponse | undefined> {
  if (!isObject(message) || message['jsonrpc'] !== '2.0')
    return failure(null, INVALID_REQUEST, 'the message is no JSON-RPC 2.0 request; batches are not supported')
  const { id, method, params } = message
  if (typeof method !== 'string') {
    const isResponse = 'result' in message || 'error' in message
    return isResponse ? undefined : failure(null, INVALID_REQUEST, 'the message has no method')
  }
  if (id === undefined) return undefined
  if (typeof id !== 'string' && typeof id !== 'number')
    return failure(null, INVALID_REQUEST, 'the id must be a string or a number')
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(method, isObject(params) ? params : {}, options) }
  } catch (error) {
    if (error instanceof RpcFault) return failure(id, error.code, error.message)
    throw error
  }
}

type Params = Readonly<Record<string, unknown>>

async function resultOf(method: string, params: Params, options: McpOptions): Promise<object> {
  switch (method) {
    case 'initialize':
      return initialize(params)
    case 'ping':
      return {}
    case 'tools/list':
      return { tools: offered(options).map(describeTool) }
    case 'tools/call':
      return callTool(params, options)
    default:
      throw new RpcFault(METHOD_NOT_FOUND, `the method ${method} is not supported`)
  }
}

/** The version of the client when it is known, else the newest one: the client then decides whether to go on. */
function initialize({ protocolVersion }: Params): object {
  const known = PROTOCOL_VERSIONS.find((version) => version === protocolVersion)
  return {
    protocolVersion: known ?? PROTOCOL_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'netsaat', title: 'Netsaat', version: packageVersion() },
    instructions:
      'Energy monitoring and hourly netting (mahsuplaşma). Times have an offset; Turkey is UTC+03:00. ' +
      'Decimals are strings. null means unknown and is not zero.',
  }
}

const offered = ({ allowsWrites }: McpOptions): readonly Tool[] =>
  TOOLS.filter(({ isWrite }) => allowsWrites || !isWrite)

const describeTool = ({ name, title, description, input, isWrite }: Tool): object => ({
  name,
  title,
  description,
  inputSchema: input,
  annotations: {
    title,
    readOnlyHint: !isWrite,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
})

async function callTool({ name, arguments: given = {} }: Params, options: McpOptions): Promise<object> {
  const tool = offered(options).find((one) => one.name === name)
  if (!tool) throw new RpcFault(INVALID_PARAMS, `there is no tool ${String(name).slice(0, 100)}`)
  const fault = faultOf(tool, given)
  if (fault !== undefined) return toolError(`The arguments are invalid: ${fault}`)
  const { status, text, total } = await options.callApi(tool.request(given as Params))
  if (status >= 400) return toolError(`The service refused this with ${status}: ${text.slice(0, 2000)}`)
  if (text.length > MCP_RESULT_CHARACTERS_MAX) {
    return toolError(`The result has ${text.length} characters: ask for fewer rows or a shorter time.`)
  }
  return {
    content: [{ type: 'text', text: total === undefined ? text : `{"total":${total},"items":${text}}` }],
  }
}

const ajv = makeAjv({ coerceTypes: false })

/** Ajv keeps the compiled schema of each tool. */
const faultOf = ({ input }: Tool, given: unknown): string | undefined =>
  ajv.validate(input, given) ? undefined : ajv.errorsText(ajv.errors, { dataVar: 'arguments' })

/** An error that the model can correct; errors of the protocol are for programs. */
const toolError = (text: string): object => ({ content: [{ type: 'text', text }], isError: true })
