import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { recordConnections } from '../../../src/areas/charging/stations.ts'
import { readSchemas } from '../../../src/field/ocpp/schemas.ts'
import { StationSocket } from '../../../src/field/ocpp/station.ts'
import { makeStations } from '../../../src/field/ocpp/stations.ts'
import { systemDb } from '../../../src/platform/db/tenant.ts'
import type { TestApi } from '../../support/api.ts'
import { createCharger, startOcppApi } from '../../support/field/ocpp.ts'
import { createTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

/** As the handshake does it; the remote end answers pings or not. */
async function connect(api: TestApi, server: WebSocketServer, answersPings: boolean) {
  const tenant = await createTenant(api)
  const charger = await createCharger(api, tenant)
  const connectionId = randomUUID()
  const version = '1.6'
  const identity = {
    tenantId: tenant.id,
    chargerId: charger.id,
    cpid: charger.cpid,
    version,
    connectionId,
    address: '127.0.0.1',
  } as const
  await recordConnections(systemDb(api.deps.database.kysely), [
    { ...identity, securityProfile: 1, at: new Date(api.clock.now()) },
  ])
  const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    autoPong: answersPings,
  })
  let pings = 0
  far.on('ping', () => {
    pings += 1
  })
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  return { far, socket, identity, pings: () => pings }
}

it('a station that answers no ping is closed; one that does stays and its last contact is updated', async () => {
  const api = await startOcppApi()
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const stations = makeStations(api.deps, { pingEveryMs: 400, checkEveryMs: 50, writesPerCheck: 1 })
  const schemas = readSchemas('1.6')
  try {
    const [lively, dead] = [await connect(api, server, true), await connect(api, server, false)]
    for (const { identity, socket } of [lively, dead]) {
      const options = {
        identity,
        socket,
        schemas,
        respond: async () => undefined,
        onCallEnded: () => {},
        onThrottled: () => {},
        onExpelled: () => {},
      }
      stations.register(new StationSocket({ ...options, onActivity: stations.recordActivity }))
    }
    api.clock.advance(60_000)
    await once(dead.far, 'close')
    expect(dead.pings()).toBeGreaterThan(0)
    await waitFor(() => lively.pings() > 4)
    expect(lively.far.readyState).toBe(WebSocket.OPEN)
    expect(stations.counts()).toEqual(
      new Map([
        ['1.6', 1],
        ['2.0.1', 0],
      ]),
    )
    await waitFor(async () => {
      const { rows } = await api.deps.database.pool.query(
        'select last_message_at from charger where id = $1',
        [lively.identity.chargerId],
      )
      return rows[0].last_message_at.getTime() === api.clock.now()
    })
  } finally {
    for (const client of server.clients) client.terminate()
    await new Promise((resolve) => server.close(resolve))
    await stations.stop()
    await api.close()
  }
})

it('a pending last-contact time is written at the disconnect', async () => {
  const api = await startOcppApi()
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const stations = makeStations(api.deps, { pingEveryMs: 600_000, checkEveryMs: 600_000, writesPerCheck: 1 })
  try {
    const { far, socket, identity } = await connect(api, server, true)
    api.clock.advance(60_000)
    const answered = new Promise<void>((resolve) => {
      const options = { identity, socket, schemas: readSchemas('1.6'), onActivity: stations.recordActivity }
      const respond = async (of: StationSocket) => {
        stations.recordHeartbeat(of)
        resolve()
        return undefined
      }
      stations.register(
        new StationSocket({
          ...options,
          respond,
          onCallEnded: () => {},
          onThrottled: () => {},
          onExpelled: () => {},
        }),
      )
    })
    if (far.readyState !== WebSocket.OPEN) await once(far, 'open')
    far.send('[2,"1","Heartbeat",{}]')
    await answered
    far.close()
    const at = new Date(api.clock.now())
    await waitFor(async () => {
      const { rows } = await api.deps.database.pool.query(
        'select last_message_at, last_heartbeat, disconnected_at from charger where id = $1',
        [identity.chargerId],
      )
      return Object.values(rows[0]).every((instant) => (instant as Date | null)?.getTime() === at.getTime())
    })
  } finally {
    for (const client of server.clients) client.terminate()
    await new Promise((resolve) => server.close(resolve))
    await stations.stop()
    await api.close()
  }
})
