import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { readAuthorityCertificate } from '../../areas/charging/stations.ts'
import { LISTEN_BACKLOG } from '../../platform/net/limits.ts'
import { makeCertificates, TLS_MIN_VERSION } from '../../platform/tls/certificates.ts'
import type { OcppDeps } from './types.ts'

export interface TlsListener {
  readonly server: Server
  /** Throws a sentence for the operator when a file or the port cannot be used. */
  listen(): Promise<number>
  close(): Promise<void>
}

/**
 * The listener for stations that connect with TLS directly; it serves no other paths. A client certificate is
 * optional here: the handshake decides whether a password suffices. Renewed files hold for new connections.
 */
export function makeTlsListener(deps: OcppDeps): TlsListener {
  const { config, log } = deps
  const { tlsCert, tlsKey, tlsClientCa, tlsPort } = config.ocpp
  const server = createServer({ minVersion: TLS_MIN_VERSION, requestCert: true, rejectUnauthorized: false })
  server.on('request', (_request, response) => void response.writeHead(404).end())
  server.on('tlsClientError', (error) => log.debug({ reason: error.message }, 'a TLS handshake failed'))
  const certificates = makeCertificates({
    deps,
    listener: 'ocpp',
    cert: { setting: 'OCPP_TLS_CERT', path: tlsCert },
    key: { setting: 'OCPP_TLS_KEY', path: tlsKey },
    clientCa: { setting: 'OCPP_TLS_CLIENT_CA', path: tlsClientCa },
    otherAuthorities: async () => [(await readAuthorityCertificate(deps)) ?? []].flat(),
  })

  return {
    server,
    async listen() {
      await certificates.attach(server)
      await listening(server, config.host, tlsPort ?? 0)
      return (server.address() as AddressInfo).port
    },
    async close() {
      certificates.stop()
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
    server.listen({ host, port, backlog: LISTEN_BACKLOG }, resolve)
  })
