/**
 * The minimal OCPP server: that of `ocpp-rpc` with its validators, which accepts every station, responds at
 * once and stores nothing. As many connections may wait for it as for the service. Receives one message from
 * its parent and responds with its port.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RPCClient, RPCServer } from 'ocpp-rpc'
import { LISTEN_BACKLOG } from '../../src/platform/net/limits.ts'
import './collect.js'

export interface BareOcppReady {
  readonly port: number
}

async function serve(): Promise<void> {
  const server = new RPCServer({ protocols: ['ocpp1.6'], strictMode: true })
  server.on('client', (client: RPCClient) => {
    client.handle(async ({ method }) =>
      method === 'Heartbeat' ? { currentTime: new Date().toISOString() } : {},
    )
  })
  const http = createServer().on('upgrade', server.handleUpgrade)
  http.listen({ port: 0, host: '127.0.0.1', backlog: LISTEN_BACKLOG })
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  process.send?.({ port } satisfies BareOcppReady)
}

process.once('message', () => void serve())
process.once('disconnect', () => process.exit(0))
