import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { dayStart, HOUR_MS, iso, localDate, TURKEY_OFFSET_MS } from '../../../src/kernel/time.ts'

export type SeriesName = 'mcp' | 'interim-mcp' | 'system-marginal-price'

/** A fault of one request, instead of its response. */
export type Fault =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** The connection ends in the middle of the response. */
  | 'cut'
  /** No response until the client disconnects. */
  | 'hang'
  /** 200 with a body that is no JSON, or is truncated JSON. */
  | 'garbage'
  | 'half'
  /** A response without an end. */
  | 'flood'

export interface PlatformCall {
  readonly kind: 'login' | 'call'
  readonly path: string
  readonly body: string
  readonly headers: IncomingMessage['headers']
  readonly status: number
}

/** The layout of the items of a response: every variant that clients of the platform have met. */
export type Layout = 'plain' | 'under body' | 'hour apart'

export interface MarketPlatform {
  readonly authUrl: string
  readonly apiUrl: string
  /** All requests, oldest first. */
  readonly calls: PlatformCall[]
  /** TRY/MWh as JSON text, by the start of the hour. A change is published from then on. */
  readonly prices: Readonly<Record<SeriesName, Map<number, string>>>
  username: string
  password: string
  /** When set, a call without it is rejected. */
  subscriptionKey: string | undefined
  /** The last published day in Turkey-local time; later days are answered with 400. */
  publishedUntil: string
  layout: Layout
  /** Faults of the next requests, one each. */
  fail(kind: 'login' | 'call', ...faults: Fault[]): void
  /** A fault of every request; undefined ends it. */
  failAlways(kind: 'login' | 'call', fault: Fault | undefined): void
  /** Expires all issued tickets. */
  endTickets(): void
  /** Tickets it has issued. */
  readonly tickets: string[]
  close(): Promise<void>
}

const FIELD: Readonly<Record<SeriesName, string>> = {
  mcp: 'price',
  'interim-mcp': 'marketTradePrice',
  'system-marginal-price': 'systemMarginalPrice',
}
const NOT_PUBLISHED = JSON.stringify({
  status: 'BAD_REQUEST',
  errors: [{ errorMessage: 'Seçilen gün için veriler saat 14 öncesinde mevcut değildir.' }],
})

const localIso = (ts: number): string => `${iso(ts + TURKEY_OFFSET_MS).slice(0, 19)}+03:00`

function itemText(ts: number, price: string, series: SeriesName, layout: Layout): string {
  const hour = localIso(ts).slice(11, 16)
  const date = layout === 'hour apart' ? localIso(dayStart(localDate(ts))) : localIso(ts)
  const extraFields = series === 'mcp' ? `,"priceUsd":${'1.5'},"priceEur":1.25` : ''
  return `{"date":"${date}","hour":"${hour}","${FIELD[series]}":${price}${extraFields}}`
}

/** A small market platform: tickets by form post, prices by the day, and every fault that a test sets. */
export async function startMarketPlatform(): Promise<MarketPlatform> {
  const faults = { login: [] as Fault[], call: [] as Fault[] }
  const always: { login?: Fault | undefined; call?: Fault | undefined } = {}
  const good = new Set<string>()
  const calls: PlatformCall[] = []
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const platform: MarketPlatform = {
    authUrl: `${base}/cas/v1/tickets`,
    apiUrl: `${base}/electricity-service/v1`,
    calls,
    prices: { mcp: new Map(), 'interim-mcp': new Map(), 'system-marginal-price': new Map() },
    username: 'prices@example.test',
    password: 'p&ss=wörd +1',
    subscriptionKey: undefined,
    publishedUntil: '9999-12-31',
    layout: 'plain',
    fail: (kind, ...next) => void faults[kind].push(...next),
    failAlways(kind, fault) {
      always[kind] = fault
    },
    endTickets: () => good.clear(),
    tickets: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const path = request.url ?? ''
    const kind = path.startsWith('/cas/') ? 'login' : 'call'
    const fault = faults[kind].shift() ?? always[kind]
    const planned =
      typeof fault === 'object' ? fault : kind === 'login' ? login(body) : data(path, body, request.headers)
    calls.push({ kind, path, body, headers: request.headers, status: planned.status })
    if (fault === 'hang') return
    if (fault === 'garbage') return void response.end('<html>Bakım çalışması</html>')
    if (fault === 'half') return void response.end(planned.body?.slice(0, planned.body.length / 2))
    if (fault === 'cut') {
      response.writeHead(200, { 'content-length': String(Buffer.byteLength(planned.body ?? '') + 10) })
      response.write((planned.body ?? '').slice(0, 40), () => response.destroy())
      return
    }
    if (fault === 'flood') return void flood(response)
    response.writeHead(planned.status, { 'content-type': 'application/json', ...planned.headers })
    // The platform repeats the request in its response: the service must not expose any of it.
    response.end(planned.body ?? JSON.stringify({ message: 'refused', sent: body, headers: request.headers }))
  }

  function login(body: string): Exclude<Fault, string> {
    const form = new URLSearchParams(body)
    if (form.get('username') !== platform.username || form.get('password') !== platform.password)
      return { status: 401 }
    const ticket = `TGT-${platform.tickets.length + 1}-aBc.dEf_cas-${Math.random().toString(36).slice(2)}`
    platform.tickets.push(ticket)
    good.add(ticket)
    return {
      status: 201,
      body: ticket,
      headers: { 'content-type': 'text/plain', location: `/cas/v1/tickets/${ticket}` },
    }
  }

  function data(path: string, body: string, headers: IncomingMessage['headers']): Exclude<Fault, string> {
    const { subscriptionKey } = platform
    if (subscriptionKey !== undefined && headers['ocp-apim-subscription-key'] !== subscriptionKey)
      return { status: 401, body: '{"message":"Access denied due to missing subscription key."}' }
    if (!good.has(String(headers['tgt']))) return { status: 401 }
    const series = path.split('/').at(-1) as SeriesName
    const prices = platform.prices[series]
    if (!prices) return { status: 404 }
    const { startDate, endDate } = JSON.parse(body) as { startDate: string; endDate: string }
    if (!/T00:00:00\+03:00$/.test(startDate) || !/\+03:00$/.test(endDate)) return { status: 400 }
    if (localDate(Date.parse(endDate)) > platform.publishedUntil) return { status: 400, body: NOT_PUBLISHED }
    const items: string[] = []
    const last = dayStart(localDate(Date.parse(endDate))) + 24 * HOUR_MS
    for (let ts = Date.parse(startDate); ts < last; ts += HOUR_MS) {
      const price = prices.get(ts)
      if (price !== undefined) items.push(itemText(ts, price, series, platform.layout))
    }
    const list = `"items":[${items.join(',')}],"page":null,"statistics":{"count":${items.length}}`
    return { status: 200, body: platform.layout === 'under body' ? `{"body":{${list}}}` : `{${list}}` }
  }
  return platform
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(256 * 1024, ' ')
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more)
  }
  response.on('error', () => {})
  more()
}
