import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { readAuthorityCertificate } from '../../areas/charging/stations.ts'
import { OCPP_TLS_RELOAD_EVERY_MS } from './limits.ts'
import type { OcppDeps } from './types.ts'

export interface ClientCertificate {
  readonly names: readonly string[]
  /** DER. */
  readonly raw: Buffer
}

/** The client's certificate, when it was signed by an authority that we trust. */
export function clientCertificateOf(socket: Socket): ClientCertificate | undefined {
  const { encrypted, authorized } = socket as Partial<TLSSocket>
  if (!encrypted || !authorized) return undefined
  const { subject, subjectaltname = '', raw } = (socket as TLSSocket).getPeerCertificate()
  // A quoted name is one that could be read as several.
  const others = subjectaltname.includes('"') ? [] : subjectaltname.split(', ')
  const dns = others.filter((name) => name.startsWith('DNS:')).map((name) => name.slice(4))
  return { names: [subject.CN ?? [], dns].flat(), raw }
}

export interface TlsListener {
  readonly server: Server
  /** Throws a sentence for the operator when a file or the port cannot be used. */
  listen(): Promise<number>
  close(): Promise<void>
}

interface TlsFiles {
  readonly cert: string
  readonly key: string
  /** Authorities whose client certificates are trusted; none when empty. */
  readonly ca: string[]
}

async function read(setting: string, path: string | undefined): Promise<string> {
  try {
    return await readFile(path ?? '', 'utf8')
  } catch (error) {
    throw new Error(`${setting}: ${JSON.stringify(path ?? '')} cannot be read: ${(error as Error).message}`)
  }
}

async function readFiles(deps: OcppDeps): Promise<TlsFiles> {
  const { tlsCert, tlsKey, tlsClientCa } = deps.config.ocpp
  const authority = await readAuthorityCertificate(deps)
  return {
    cert: await read('OCPP_TLS_CERT', tlsCert),
    key: await read('OCPP_TLS_KEY', tlsKey),
    ca: [
      ...(tlsClientCa === undefined ? [] : [await read('OCPP_TLS_CLIENT_CA', tlsClientCa)]),
      ...(authority === undefined ? [] : [authority]),
    ],
  }
}

/**
 * The listener for stations that connect with TLS directly; it serves no other paths. A client certificate is
 * optional here: the handshake decides whether a password suffices. Renewed files hold for new connections.
 */
export function makeTlsListener(deps: OcppDeps): TlsListener {
  const { config, log } = deps
  const server = createServer({ minVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: false })
  server.on('request', (_request, response) => void response.writeHead(404).end())
  server.on('tlsClientError', (error) => log.debug({ reason: error.message }, 'a TLS handshake failed'))
  let current = ''
  let timer: NodeJS.Timeout | undefined

  async function reload(): Promise<void> {
    const files = await readFiles(deps)
    const text = JSON.stringify(files)
    if (text === current) return
    try {
      server.setSecureContext({ ...files, minVersion: 'TLSv1.2' })
    } catch (error) {
      throw new Error(`OCPP_TLS_CERT, OCPP_TLS_KEY: ${(error as Error).message}`)
    }
    current = text
  }

  function tryToReload(): void {
    reload().catch((error: Error) =>
      log.error({ reason: error.message }, 'the certificates for stations are not renewed'),
    )
  }

  return {
    server,
    async listen() {
      await reload()
      await listening(server, config.host, config.ocpp.tlsPort ?? 0)
      timer = setInterval(tryToReload, OCPP_TLS_RELOAD_EVERY_MS)
      return (server.address() as AddressInfo).port
    },
    async close() {
      clearInterval(timer)
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`OCPP_TLS_PORT ${port} on ${host} cannot be used: ${error.message}`)),
    )
    server.listen({ host, port }, resolve)
  })
