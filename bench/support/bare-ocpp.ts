/**
 * The minimal OCPP server: that of `ocpp-rpc` with its validators, which accepts every station, responds at
 * once and stores nothing. Receives one message from its parent and responds with its port.
 */
import type { AddressInfo } from 'node:net'
import { type RPCClient, RPCServer } from 'ocpp-rpc'
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
  const http = await server.listen(0, '127.0.0.1')
  const { port } = http.address() as AddressInfo
  process.send?.({ port } satisfies BareOcppReady)
}

process.once('message', () => void serve())
process.once('disconnect', () => process.exit(0))
