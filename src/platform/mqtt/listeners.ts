import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { LISTEN_BACKLOG } from '../net/limits.ts'
import { type Certificates, TLS_MIN_VERSION } from '../tls/certificates.ts'
import type { BrokerLog } from './broker-log.ts'
import { MQTT_CONNECT_TIMEOUT_MS, MQTT_CONNECTIONS_MAX, MQTT_TLS_HANDSHAKE_TIMEOUT_MS } from './limits.ts'

export interface TlsOptions {
  readonly certificates: Certificates
  /** Whether clients are asked for a certificate, and whether they must have one that is trusted. */
  readonly clientCertificate: 'none' | 'optional' | 'required'
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** Without it the listener has no TLS. */
  readonly tls?: TlsOptions
}

/** Limits of connections that have not logged in; tests lower them. */
export interface ConnectionLimits {
  /** To each listener. */
  readonly connectionsMax: number
  readonly tlsHandshakeTimeoutMs: number
  /** Until CONNECT. */
  readonly connectTimeoutMs: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsMax: MQTT_CONNECTIONS_MAX,
  tlsHandshakeTimeoutMs: MQTT_TLS_HANDSHAKE_TIMEOUT_MS,
  connectTimeoutMs: MQTT_CONNECT_TIMEOUT_MS,
}

interface ListenersOptions {
  readonly limits: ConnectionLimits
  readonly log: BrokerLog
  readonly accept: (socket: Socket) => void
  readonly onHandshakeFailure: (error: Error) => void
}

/** The ports of the embedded broker. */
export class Listeners {
  private readonly options: ListenersOptions
  private readonly servers: Server[] = []
  /** Connections of TLS listeners, from before their handshake. */
  private readonly tlsConnections = new Set<Socket>()

  constructor(options: ListenersOptions) {
    this.options = options
  }

  /** Opens a port and returns its number; rejects with the error of the system, or of the certificate files. */
  async open({ host, port, tls }: ListenOptions): Promise<number> {
    const server = tls ? await this.makeTlsServer(tls) : createServer(this.options.accept)
    server.maxConnections = this.options.limits.connectionsMax
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, exclusive: true, backlog: LISTEN_BACKLOG }, () => {
        server.off('error', reject)
        resolve()
      })
    })
    server.on('error', (error) => this.options.log.warn({ err: error }, 'the MQTT port reports an error'))
    this.servers.push(server)
    const address = server.address()
    return typeof address === 'object' && address ? address.port : port
  }

  areListening(): boolean {
    return this.servers.length > 0 && this.servers.every((server) => server.listening)
  }

  /** Accepts no further connections until a port is opened again; resolves when the last connection has ended. */
  async close(): Promise<void> {
    await Promise.all(
      this.servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    )
  }

  /** As `close`, without waiting for connections of TLS listeners. */
  async end(): Promise<void> {
    this.destroyTlsConnections()
    await this.close()
  }

  /** Ends the connections of TLS listeners, also those that have not completed their handshake. */
  destroyTlsConnections(): void {
    for (const socket of this.tlsConnections) socket.destroy()
  }

  private async makeTlsServer({ certificates, clientCertificate }: TlsOptions): Promise<TlsServer> {
    const { accept, limits, onHandshakeFailure } = this.options
    const server = createTlsServer(
      {
        minVersion: TLS_MIN_VERSION,
        handshakeTimeout: limits.tlsHandshakeTimeoutMs,
        requestCert: clientCertificate !== 'none',
        rejectUnauthorized: clientCertificate === 'required',
      },
      accept,
    )
    server.on('tlsClientError', (error, socket) => {
      // Node.js reports a handshake that takes too long and leaves the connection open.
      socket.destroy()
      onHandshakeFailure(error)
    })
    server.on('connection', (socket) => {
      this.tlsConnections.add(socket)
      socket.once('close', () => this.tlsConnections.delete(socket))
    })
    await certificates.attach(server)
    return server
  }
}
