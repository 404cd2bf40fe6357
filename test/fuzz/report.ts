import type { NoResponse, RawResponse } from './client.ts'
import type { FuzzRequest } from './requests.ts'

export interface Finding {
  readonly operation: string
  readonly fault: string
  /** Number of the first request with this fault. */
  readonly request: number
  readonly curl: string
  readonly response: string
  count: number
}

/** A body that is longer is printed only in part; the run has to be repeated to send it. */
const CURL_BODY_MAX = 1_500
const RESPONSE_MAX = 600

/** Bytes as a word of bash. */
function quoted(bytes: Buffer): string {
  const utf8 = bytes.toString('utf8')
  if (!/[\p{C}\ufffd]/u.test(utf8)) return `'${utf8.replaceAll("'", "'\\''")}'`
  const text = bytes.toString('latin1')
  const escaped = [...text].map((character) => {
    const code = character.charCodeAt(0)
    if (character === "'" || character === '\\') return `\\${character}`
    return code >= 0x20 && code < 0x7f ? character : `\\x${code.toString(16).padStart(2, '0')}`
  })
  return `$'${escaped.join('')}'`
}

/** The request as a command for bash. A NUL cannot be passed to a program: such a body is sent through printf. */
function curlOf(baseUrl: string, { method, path, headers, body }: FuzzRequest): string {
  const shown = body?.subarray(0, CURL_BODY_MAX)
  const lines = [
    `curl -i -X ${method} --path-as-is -g ${quoted(Buffer.from(baseUrl + path))}`,
    ...Object.entries(headers).map(
      ([name, value]) => `-H ${quoted(Buffer.from(value === '' ? `${name};` : `${name}: ${value}`))}`,
    ),
    ...(shown?.includes(0) ? ['--data-binary @-'] : shown ? [`--data-binary ${quoted(shown)}`] : []),
  ]
  const piped = shown?.includes(0)
    ? `printf %s ${JSON.stringify(shown.toString('base64'))} | base64 -d | `
    : ''
  const note = body && body.length > CURL_BODY_MAX ? `  # body cut from ${body.length} bytes` : ''
  return piped + lines.join(' \\\n  ') + note
}

const responseText = (response: RawResponse | NoResponse): string =>
  response.kind === 'none'
    ? response.reason
    : `${response.status} ${response.body.toString().slice(0, RESPONSE_MAX)}`

/** Faults that differ only in values are reported once. */
const normal = (fault: string): string =>
  fault.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '<id>').replaceAll(/\/\d+/g, '/<index>')

export interface Findings {
  add(
    fault: string,
    request: FuzzRequest,
    where: { readonly response: RawResponse | NoResponse; readonly number: number },
  ): void
  readonly all: readonly Finding[]
}

/** Collects faults, one of each kind per operation. */
export function makeFindings(baseUrl: string): Findings {
  const findings = new Map<string, Finding>()
  return {
    add(fault, request, { response, number }) {
      const operation = `${request.operation.method} ${request.operation.path} (${request.operation.id})`
      const key = `${operation} ${normal(fault)}`
      const known = findings.get(key)
      if (known) known.count += 1
      else {
        const curl = curlOf(baseUrl, request)
        findings.set(key, {
          operation,
          fault,
          request: number,
          curl,
          response: responseText(response),
          count: 1,
        })
      }
    },
    get all() {
      return [...findings.values()]
    },
  }
}

export const findingText = ({ operation, fault, request, curl, response, count }: Finding): string =>
  `\n✗ ${operation}: ${fault}${count > 1 ? ` (${count} times)` : ''}\n  request ${request}:\n${curl}\n  response: ${response}`
