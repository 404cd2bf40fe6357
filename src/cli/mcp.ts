import { createInterface } from 'node:readline'
import {
  type ApiCall,
  type ApiResponse,
  MCP_LINE_CHARACTERS_MAX,
  MCP_REQUEST_TIMEOUT_MS,
  type McpOptions,
  respond,
  unreadable,
} from '../mcp/index.ts'
import { type Command, optionalText, UsageError } from './command.ts'

/**
 * `netsaat mcp`: the MCP server over standard input and output, as a client of a running service. A message is a line.
 * The token is read from NETSAAT_TOKEN, because arguments of processes are visible to other users of the machine.
 */
export const mcp: Command = {
  options: { url: { type: 'string' }, write: { type: 'boolean' } },
  positionals: 0,
  async run(invocation) {
    const token = invocation.env['NETSAAT_TOKEN']?.trim()
    if (!token) throw new UsageError('NETSAAT_TOKEN is missing: an API key, or an access token')
    const url = optionalText(invocation, 'url') ?? 'http://127.0.0.1:8080'
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new UsageError('--url must be an http or https URL')
    const allowsWrites = invocation.options['write'] === true
    await serveLines({ allowsWrites, callApi: (call) => callService({ url, token }, call) })
    return 0
  },
}

async function serveLines(options: McpOptions): Promise<void> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    if (line.trim() === '') continue
    if (line.length > MCP_LINE_CHARACTERS_MAX)
      throw new Error(`a message has more than ${MCP_LINE_CHARACTERS_MAX} characters`)
    const response = await respondToLine(line, options)
    if (response) process.stdout.write(`${JSON.stringify(response)}\n`)
  }
}

async function respondToLine(line: string, options: McpOptions) {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return unreadable()
  }
  return respond(message, options)
}

interface Service {
  readonly url: string
  readonly token: string
}

async function callService({ url, token }: Service, call: ApiCall): Promise<ApiResponse> {
  const { method, path, query = {}, body } = call
  const target = new URL(path, url)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) target.searchParams.set(name, String(value))
  }
  try {
    const response = await fetch(target, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(MCP_REQUEST_TIMEOUT_MS),
      redirect: 'error',
    })
    const total = response.headers.get('x-total-count') ?? undefined
    return { status: response.status, text: await response.text(), total }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { status: 503, text: `the service at ${target.origin} cannot be reached: ${reason}` }
  }
}
