import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIVE_UNWANTED_REMEMBERED_MS } from '../../../src/areas/metering/live/limits.ts'
import { makePostgresLink, type PostgresLink } from '../../../src/platform/messaging/postgres-link.ts'
import type { ProcessLink } from '../../../src/platform/messaging/process-link.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { joinLive } from '../../support/metering/live.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const log = makeLog('silent')

describe('the link between processes over PostgreSQL', () => {
  let database: TestDatabase
  let links: PostgresLink[]

  beforeAll(async () => {
    database = await createDatabase()
    links = [1, 2, 3].map(() => makePostgresLink({ url: database.url, log }))
    await waitFor(() => links.every((link) => link.isConnected()))
  })
  afterAll(async () => {
    await Promise.all(links.map((link) => link.close()))
    await database.drop()
  })

  const linkAt = (index: number): PostgresLink => {
    const link = links[index]
    if (!link) throw new Error('no such link')
    return link
  }

  /** The texts that a process receives below a topic. */
  async function listen(link: PostgresLink, filter: string) {
    const seen: string[] = []
    const stop = await link.subscribe(filter, ({ payload }) => void seen.push(String(payload)))
    return { seen, stop }
  }

  it('carries messages of any size to all other processes, in order, and not to the sender', async () => {
    const listeners = await Promise.all(links.map((link) => listen(link, 'test/+')))
    const texts = Array.from({ length: 50 }, (_, index) => `${index} `.repeat(index % 5 === 0 ? 20_000 : 1))
    await Promise.all(texts.map((text) => linkAt(0).publish('test/a', text)))
    await linkAt(0).publish('other/a', 'for nobody')
    for (const { seen } of listeners.slice(1)) await expect.poll(() => seen).toEqual(texts)
    expect(listeners[0]?.seen).toEqual([])
    for (const { stop } of listeners) await stop()
    await linkAt(0).publish('test/a', 'nobody listens')
    expect(listeners[1]?.seen.length).toBe(texts.length)
  })

  it('is opened again after its connections have broken', async () => {
    const { seen, stop } = await listen(linkAt(1), 'test/broken')
    let reconnections = 0
    const stopCounting = linkAt(1).onReconnected(() => {
      reconnections += 1
    })
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const OWN =
      "from pg_stat_activity where application_name = 'netsaat-link' and datname = current_database()"
    const readPids = async () =>
      (await client.query<{ pid: number }>(`select pid ${OWN}`)).rows.map(({ pid }) => pid)
    const before = await readPids()
    await client.query(`select pg_terminate_backend(pid) ${OWN}`)
    await waitFor(async () => {
      const pids = await readPids()
      return pids.length === links.length && !pids.some((pid) => before.includes(pid))
    })
    await waitFor(() => links.every((link) => link.isConnected()))
    await client.end()
    await linkAt(0).publish('test/broken', 'again')
    await expect.poll(() => seen).toEqual(['again'])
    expect(reconnections).toBeGreaterThan(0)
    stopCounting()
    await stop()
  })
})

/** A link that is cut at first: it neither receives nor subscribes until it is opened. */
function withGaps(inner: PostgresLink | undefined) {
  if (!inner) throw new Error('no such link')
  let isCut = true
  let opened = (): void => {}
  const whenOpen = new Promise<void>((resolve) => {
    opened = resolve
  })
  const listeners = new Set<() => void>()
  const link: ProcessLink = {
    isBroadcast: true,
    onReconnected(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    publish: (topic, payload, options) => inner.publish(topic, payload, options),
    async subscribe(filter, handler) {
      await whenOpen
      return inner.subscribe(filter, (message) => {
        if (!isCut) handler(message)
      })
    },
  }
  return {
    link,
    open(): void {
      isCut = false
      opened()
      for (const listener of listeners) listener()
    },
    cut(): void {
      isCut = true
    },
  }
}

describe('two processes without an outside broker', () => {
  let api: TestApi
  let links: PostgresLink[]
  let processes: SecondProcess[]

  beforeAll(async () => {
    api = await startApi()
    const url = new URL(api.deps.database.pool.options.connectionString ?? '').href
    links = [1, 2].map(() => makePostgresLink({ url, log }))
    await waitFor(() => links.every((link) => link.isConnected()))
    processes = await Promise.all(links.map((link) => startSecondProcess(api, {}, link)))
  })
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.close()))
    await Promise.all(links.map((link) => link.close()))
    await api.close()
  })

  it('deliver each sample once, whichever process stored it, also right after the first subscription', async () => {
    const tenant = await createTenant(api)
    const meter = await createDevice(api, tenant)
    const client = await joinLive(processes[0]?.url ?? '', { token: tenant.viewer.token, devices: [meter] })
    const steps = Array.from({ length: 20 }, (_, step) => step)
    for (const step of steps) {
      const at = api.clock.now() - 60_000 + step
      const sample = { deviceId: meter.id, at, values: { voltage: step } }
      await processes[(step + 1) % 2]?.deps.ingest.submit(tenant.id, [sample])
    }
    await waitFor(() => client.samples().length >= steps.length)
    client.send('ping')
    await client.find(({ type }) => type === 'pong')
    expect(
      client
        .samples()
        .map(({ values }) => values.voltage)
        .toSorted((a, b) => a - b),
    ).toEqual(steps)
    await client.end()
  })

  it('deliver what a process stores before it knows who listens: at its start, and in a gap of its link', async () => {
    const tenant = await createTenant(api)
    const meter = await createDevice(api, tenant)
    const client = await joinLive(processes[0]?.url ?? '', { token: tenant.viewer.token, devices: [meter] })
    const { link, open, cut } = withGaps(links[1])
    const late = await startSecondProcess(api, {}, link)
    const store = async (voltage: number) => {
      const sample = { deviceId: meter.id, at: api.clock.now() - 60_000 + voltage, values: { voltage } }
      await late.deps.ingest.submit(tenant.id, [sample])
      // Longer than samples are remembered that nobody wants.
      await sleep(LIVE_UNWANTED_REMEMBERED_MS + 100)
    }
    const isShown = (voltage: number) => client.samples().some(({ values }) => values.voltage === voltage)
    try {
      await store(1)
      expect(isShown(1)).toBe(false)
      open()
      await waitFor(() => isShown(1))

      // The announcement of the first subscription of another tenant is lost.
      cut()
      const other = await createTenant(api)
      const otherMeter = await createDevice(api, other)
      const url = processes[0]?.url ?? ''
      const second = await joinLive(url, { token: other.viewer.token, devices: [otherMeter] })
      const sample = { deviceId: otherMeter.id, at: api.clock.now() - 60_000, values: { voltage: 2 } }
      await late.deps.ingest.submit(other.id, [sample])
      await sleep(LIVE_UNWANTED_REMEMBERED_MS + 100)
      expect(second.samples()).toEqual([])
      open()
      await waitFor(() => second.samples().length === 1)
      await second.end()
    } finally {
      open()
      await late.close()
      await client.end()
    }
  })

  it('publish no samples of a tenant that no process watches', async () => {
    const tenant = await createTenant(api)
    const meter = await createDevice(api, tenant)
    const seen: string[] = []
    await links[0]?.subscribe('netsaat/live/+', ({ topic }) => void seen.push(topic))
    const sample = { deviceId: meter.id, at: api.clock.now() - 60_000, values: { voltage: 1 } }
    await processes[1]?.deps.ingest.submit(tenant.id, [sample])
    // A message after the lingering of live values: what was published before it has arrived.
    await new Promise((resolve) => setTimeout(resolve, 50))
    let isLast = false
    await links[0]?.subscribe('test/last', () => {
      isLast = true
    })
    await links[1]?.publish('test/last', '')
    await waitFor(() => isLast)
    expect(seen).toEqual([])
  })
})
