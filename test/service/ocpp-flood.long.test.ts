import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { OCPP_MESSAGES_BURST, OCPP_MESSAGES_PER_SECOND } from '../../src/field/ocpp/limits.ts'
import type { OcppVersion } from '../../src/kernel/ocpp.ts'
import { connectStation, type TestCharger } from '../support/field/ocpp.ts'
import { callService } from '../support/process/call.ts'
import { type Installation, install } from '../support/process/killed-service.ts'
import { waitFor } from '../support/wait-for.ts'

const PER_SECOND = 200
const SECONDS = 60
const WAIT_MS = 240_000
/** The messages of the minute have 40 MB in each version. */
const RESIDENT_GROWTH_MAX = 150 * 1024 * 1024
const BOOT = { chargePointVendor: 'V', chargePointModel: 'M' }

let installation: Installation
beforeAll(async () => {
  installation = await install({ MQTT_PORT: '0' })
}, WAIT_MS)
afterAll(() => installation?.remove())

const call = (method: string, path: string, body?: object) =>
  callService(method, `${installation.service.url}/api${path}`, installation.target.token, body)

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${installation.service.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

const LARGE = 'x'.repeat(200 * 1024)

/** A valid message, a malformed one every fourth time, and a large one that violates its schema every 60th time. */
function messageOf(version: OcppVersion, number: number): string {
  if (number % 60 === 0) return JSON.stringify([2, `m${number}`, 'DataTransfer', { vendorId: LARGE }])
  if (number % 4 === 0) return '[2, "torn", '
  const status =
    version === '1.6'
      ? { connectorId: 1, errorCode: 'NoError', status: number % 2 ? 'Available' : 'Faulted' }
      : {
          timestamp: new Date().toISOString(),
          connectorStatus: number % 2 ? 'Available' : 'Faulted',
          evseId: 1,
          connectorId: 1,
        }
  return JSON.stringify([2, `m${number}`, 'StatusNotification', status])
}

interface Flood {
  sent: number
  answered: number
  seconds: number
  connections: number
  readonly reasons: string[]
}

/** Sends messages for a minute and waits for no response; connects again when it is closed. */
async function flood(version: OcppVersion, charger: TestCharger, make = messageOf): Promise<Flood> {
  const url = `${installation.service.url.replace(/^http/, 'ws')}/ocpp/${version}/${charger.cpid}`
  const authorization = `Basic ${Buffer.from(`${charger.cpid}:${charger.password}`).toString('base64')}`
  const result: Flood = { sent: 0, answered: 0, seconds: 0, connections: 0, reasons: [] }
  const startedAt = performance.now()
  const until = startedAt + SECONDS * 1000
  while (performance.now() < until) {
    const socket = new WebSocket(url, `ocpp${version}`, { headers: { authorization } })
    socket.on('message', () => {
      result.answered += 1
    })
    socket.on('error', () => {})
    socket.once('close', (code, reason) => result.reasons.push(`${code} ${reason}`))
    await Promise.race([once(socket, 'open'), once(socket, 'close')]).catch(() => {})
    if (socket.readyState === WebSocket.OPEN) result.connections += 1
    while (socket.readyState === WebSocket.OPEN && performance.now() < until) {
      for (let index = 0; index < PER_SECOND / 10; index += 1) socket.send(make(version, result.sent++))
      await sleep(100)
    }
    socket.terminate()
    await sleep(1_000)
    result.seconds = (performance.now() - startedAt) / 1000
  }
  return result
}

const eventsOf = async (charger: TestCharger, type: string): Promise<{ details: unknown }[]> =>
  (await call('GET', `/ocpp/chargers/${charger.id}/events?event_type=${type}`)).items

/** Connections that wait for a busy process by Node's default. */
const NODE_BACKLOG = 511
const somaxconn = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8').catch(() => '0'))

describe('stations that connect while the service is busy', () => {
  it.skipIf(somaxconn < 2 * NODE_BACKLOG)(
    'wait for it, and are not dropped by the kernel',
    async () => {
      const { pid, url } = installation.service
      // A stopped process accepts nothing, however long the connections take.
      process.kill(pid, 'SIGSTOP')
      const sockets = Array.from({ length: 1.5 * NODE_BACKLOG }, () =>
        connect({ host: '127.0.0.1', port: Number(new URL(url).port) }),
      )
      try {
        await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      } finally {
        for (const socket of sockets) socket.destroy()
        process.kill(pid, 'SIGCONT')
      }
    },
    30_000,
  )
})

describe('station that sends 200 messages a second for a minute', () => {
  it(
    'is slowed down with an event; memory is bounded, and others are served',
    async () => {
      const versions: OcppVersion[] = ['1.6', '2.0.1']
      const chargers: TestCharger[] = []
      for (const version of versions)
        chargers.push(await call('POST', '/ocpp/chargers', { cpid: `H-${version}-${randomUUID()}` }))
      const good = await connectStation(
        installation.service,
        await call('POST', '/ocpp/chargers', { cpid: `GOOD-${randomUUID()}` }),
      )
      const before = await residentBytes()
      const floods = Promise.all(
        versions.map((version, index) => flood(version, chargers[index] as TestCharger)),
      )
      let isOver = false
      let peak = before
      const over = floods.finally(() => {
        isOver = true
      })
      while (!isOver) {
        expect(await good.call('BootNotification', BOOT)).toMatchObject({ status: 'Accepted' })
        await call('GET', '/devices')
        peak = Math.max(peak, await residentBytes())
        await sleep(500)
      }
      for (const [index, { sent, answered, seconds, connections, reasons }] of (await over).entries()) {
        process.stdout.write(`${sent} sent, ${answered} answered, ${connections} connections: ${reasons}\n`)
        expect(sent).toBeGreaterThan(OCPP_MESSAGES_BURST)
        expect(answered).toBeLessThanOrEqual(
          connections * OCPP_MESSAGES_BURST + (seconds + 5) * OCPP_MESSAGES_PER_SECOND,
        )
        const charger = chargers[index] as TestCharger
        // A machine that handles fewer messages than permitted delays none.
        if (answered / connections < OCPP_MESSAGES_BURST + SECONDS * OCPP_MESSAGES_PER_SECOND * 0.8) continue
        await waitFor(async () => (await eventsOf(charger, 'messages_throttled')).length > 0)
      }
      expect(peak - before).toBeLessThan(RESIDENT_GROWTH_MAX)
      await good.end()
    },
    WAIT_MS,
  )

  it(
    'is closed with a reason and an event when it sends nothing but malformed messages',
    async () => {
      const charger: TestCharger = await call('POST', '/ocpp/chargers', { cpid: `MALFORMED-${randomUUID()}` })
      const url = `${installation.service.url.replace(/^http/, 'ws')}/ocpp/1.6/${charger.cpid}`
      const authorization = `Basic ${Buffer.from(`${charger.cpid}:${charger.password}`).toString('base64')}`
      const socket = new WebSocket(url, 'ocpp1.6', { headers: { authorization } })
      await once(socket, 'open')
      const closed = once(socket, 'close')
      for (let count = 0; count < PER_SECOND; count += 1) socket.send('[2, "torn", ')
      const [code, reason] = await closed
      expect(`${code} ${reason}`).toBe('1008 too many malformed messages')
      await waitFor(async () => (await eventsOf(charger, 'connection_closed')).length > 0)
      expect((await eventsOf(charger, 'connection_closed'))[0]?.details).toEqual({
        reason: 'too many malformed messages',
      })
    },
    WAIT_MS,
  )
})
