import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { at } from '../../kernel/checked.ts'
import { withTimeout } from '../async/with-timeout.ts'
import { SOCKET_CLOSE_MAX_MS, UPGRADE_MAX_MS, UPGRADE_RETRY_AFTER_S, UPGRADES_PENDING_MAX } from './limits.ts'

/** An open socket and its TCP connection, which reports how many bytes have been sent. */
export interface OpenSocket {
  readonly socket: WebSocket
  readonly raw: Socket
}

/** First byte of a frame: FIN and the opcode of a text (RFC 6455, 5.2). */
const WHOLE_TEXT = 0x81
const LENGTH_MAX = 125
const LENGTH_16 = 126
const LENGTH_16_MAX = 0xffff
const LENGTH_64 = 127

/**
 * Encodes a text message as the unmasked frame of a server, which is made once and written to the TCP connections of
 * many sockets (`OpenSocket.raw`). `ws` would make a header and two writes for each of them. This is allowed between
 * messages of `ws` itself, because it writes each of them at once and in whole: no route has compression.
 */
export function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const header = length <= LENGTH_MAX ? 2 : length <= LENGTH_16_MAX ? 4 : 10
  const frame = Buffer.allocUnsafe(header + length)
  frame[0] = WHOLE_TEXT
  if (header === 2) frame[1] = length
  else if (header === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, header)
  return frame
}

/** A handshake without a response yet. */
export interface Upgrade {
  readonly request: IncomingMessage
  /** Path and query; the host is not that of the client. */
  readonly url: URL
  /** The named groups of the route's pattern. */
  readonly params: Readonly<Record<string, string>>
  /**
   * Completes the handshake. Returns undefined for a handshake that has been answered already, because it is invalid
   * or was not decided in time.
   */
  accept(): OpenSocket | undefined
  /** Sends an HTTP response and ends the connection. */
  refuse(status: number, headers?: Readonly<Record<string, string>>): void
}

export interface SocketRoute {
  /** Matches the whole path; each parameter is a named group. */
  readonly path: RegExp
  /** A larger message closes the socket with 1009. */
  readonly messageBytesMax: number
  /** Supported subprotocols; the first of the client's list that is supported is chosen. */
  readonly protocols?: readonly string[]
  /** Must accept or refuse within UPGRADE_MAX_MS; then the handshake is answered with 503. */
  readonly handle: (upgrade: Upgrade) => void | Promise<void>
}

export interface UpgradeRouter {
  add(route: SocketRoute): void
  /**
   * Closes every open socket with 1012 and waits for the closing handshakes until SOCKET_CLOSE_MAX_MS;
   * further handshakes are refused.
   */
  close(): Promise<void>
}

interface UpgradeRouterOptions {
  readonly server: Server
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  readonly isStopping: () => boolean
  /** Milliseconds in which a handshake must be decided; tests use a short time. */
  readonly decideMs?: number
}

class Undecided extends Error {}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

function answer(connection: Duplex, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  connection.end(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Refused'}\r\n${head}\r\n`)
}

const unavailable = (connection: Duplex) =>
  answer(connection, 503, { 'Retry-After': String(UPGRADE_RETRY_AFTER_S) })

/** Hop-by-hop headers and those of the upgrade that is ignored. */
const OF_THE_UPGRADE = new Set(['connection', 'upgrade', 'http2-settings'])

/**
 * Serves a request as HTTP/1.1 that offers an upgrade to another protocol, such as HTTP/2 (Java's client
 * offers it with every request). The offer may be ignored (RFC 9110, 7.8), so the request is parsed again
 * without it.
 */
function ignoreOffer(server: Server, request: IncomingMessage, connection: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = at(request.rawHeaders, index)
    if (!OF_THE_UPGRADE.has(name.toLowerCase())) lines.push(`${name}: ${at(request.rawHeaders, index + 1)}`)
  }
  connection.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', connection)
}

/**
 * Makes the WebSocket server of a route; there is one per route because the maximum message size is a
 * property of the server.
 */
function makeAcceptor({ messageBytesMax, protocols }: SocketRoute): WebSocketServer {
  // `closeTimeout` is newer than the type declarations.
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
    closeTimeout: SOCKET_CLOSE_MAX_MS,
  }
  if (protocols) {
    options.handleProtocols = (offered) => [...offered].find((name) => protocols.includes(name)) ?? false
  }
  return new WebSocketServer(options)
}

/**
 * Sends the handshakes of an HTTP server to the route that matches their path. Without routes it leaves the
 * server alone.
 */
export function routeUpgrades({
  server,
  log,
  isStopping,
  decideMs = UPGRADE_MAX_MS,
}: UpgradeRouterOptions): UpgradeRouter {
  const routes: { readonly route: SocketRoute; readonly acceptor: WebSocketServer }[] = []
  const open = new Set<WebSocket>()
  const undecided = new Set<Duplex>()
  let isClosed = false

  function accept(acceptor: WebSocketServer, request: IncomingMessage, raw: Duplex, head: Buffer) {
    let accepted: WebSocket | undefined
    // The callback is called synchronously, unless the handshake is invalid; then `ws` answers it.
    acceptor.handleUpgrade(request, raw, head, (socket) => {
      accepted = socket
    })
    if (!accepted) return undefined
    const socket = accepted
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // `ws` closes the socket on a protocol error of the client; the error needs no further handling.
    socket.on('error', () => {})
    return { socket, raw: raw as Socket }
  }

  async function dispatch(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    const url = parseTarget(request)
    if (!url) return answer(connection, 400)
    for (const { route, acceptor } of routes) {
      const match = route.path.exec(url.pathname)
      if (!match) continue
      if (isClosed || isStopping() || undecided.size >= UPGRADES_PENDING_MAX) return unavailable(connection)
      let isDecided = false
      const decide = <T>(decision: () => T): T | undefined => {
        if (isDecided) return undefined
        isDecided = true
        return decision()
      }
      const upgrade: Upgrade = {
        request,
        url,
        params: match.groups ?? {},
        accept: () => decide(() => accept(acceptor, request, connection, head)),
        refuse: (status, headers) => decide(() => answer(connection, status, headers)),
      }
      undecided.add(connection)
      try {
        await withTimeout(decideMs, Promise.resolve(route.handle(upgrade)), () => new Undecided())
      } catch (error) {
        if (!(error instanceof Undecided)) throw error
        if (!isDecided) log.warn({ path: match[0].slice(0, 200) }, 'a handshake could not be decided in time')
        decide(() => unavailable(connection))
      } finally {
        undecided.delete(connection)
      }
      return
    }
    answer(connection, 404)
  }

  function onUpgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      return void ignoreOffer(server, request, connection, head)
    }
    connection.on('error', () => connection.destroy())
    dispatch(request, connection, head).catch((error: unknown) => {
      log.error({ err: error, path: request.url?.split('?')[0] }, 'the handshake of a socket failed')
      connection.destroy()
    })
  }

  return {
    add(route) {
      if (routes.length === 0) server.on('upgrade', onUpgrade)
      routes.push({ route, acceptor: makeAcceptor(route) })
    },
    async close() {
      isClosed = true
      await Promise.all([...open].map(closeInTime))
      for (const connection of undecided) connection.destroy()
    },
  }
}

function parseTarget({ url }: IncomingMessage): URL | undefined {
  return url?.startsWith('/') && URL.canParse(`http://socket${url}`)
    ? new URL(`http://socket${url}`)
    : undefined
}

const RESTARTING = [1012, 'Service restart'] as const

/**
 * Closes a socket. `ws` terminates the connection after SOCKET_CLOSE_MAX_MS, because a client that reads
 * nothing never receives the close frame.
 */
const closeInTime = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), SOCKET_CLOSE_MAX_MS)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.resume()
    socket.close(...RESTARTING)
  })
