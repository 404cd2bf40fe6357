import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../support/metering/sample-audit.ts'
import { isAcknowledged, type SentBatch, send, type Target } from '../support/metering/sample-load.ts'
import { createDevices, logIn } from '../support/process/killed-service.ts'
import { hasHaproxy, type Proxied, startProxied } from '../support/process/proxied.ts'
import { waitFor } from '../support/wait-for.ts'

type Phase = 'undisturbed' | 'SIGTERM' | 'SIGKILL'

const PAUSE_MS = 20
const STEPS_OF_BATCH = 20

let proxied: Proxied
let target: Target
let phase: Phase = 'undisturbed'
let isOver = false

/** What happened during each phase, for the expectations and the reader of the output. */
const counts = new Map<string, number>()
const count = (name: string, during: Phase): void => {
  const key = `${name} (${during})`
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
const counted = (name: string, during: Phase): number => counts.get(`${name} (${during})`) ?? 0

/** Sends samples; repeats a batch until it is acknowledged. */
async function write(sent: SentBatch[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let from = 0; !isOver; from += STEPS_OF_BATCH) {
    for (let isDone = false; !isDone; ) {
      const during = phase
      const batch = { from, count: STEPS_OF_BATCH }
      const result = { ...batch, outcome: await send(target, batch, agent) }
      sent.push(result)
      isDone = isAcknowledged(result)
      count(isDone ? 'writes' : 'writes without an answer', during)
      if (!isDone) await sleep(PAUSE_MS)
    }
  }
  agent.destroy()
}

async function read(): Promise<void> {
  while (!isOver) {
    const during = phase
    const headers = { authorization: `Bearer ${target.token}` }
    const isAnswered = await fetch(`${target.url}/api/devices?limit=5`, { headers }).then(
      async (response) => response.ok && (await response.json()) !== undefined,
      () => false,
    )
    count(isAnswered ? 'reads' : 'reads without an answer', during)
    await sleep(PAUSE_MS)
  }
}

describe.skipIf(!hasHaproxy)('two processes of the API behind HAProxy (needs haproxy)', () => {
  beforeAll(async () => {
    proxied = await startProxied()
    const token = await logIn(proxied.url)
    target = { url: proxied.url, token, deviceIds: await createDevices(proxied.url, token) }
  }, 600_000)
  afterAll(() => proxied?.end(), 120_000)

  it('lose no request to a stop, and nothing acknowledged to a kill', {
    retry: 0,
    timeout: 900_000,
  }, async () => {
    const sent: SentBatch[] = []
    const load = Promise.all([write(sent), read(), read()])
    load.catch(() => {})
    await waitFor(() => counted('reads', 'undisturbed') > 10 && sent.length > 5)
    for (const [name, signal] of [
      ['api1', 'SIGTERM'],
      ['api2', 'SIGKILL'],
    ] as const) {
      phase = signal
      const code = await proxied.restart(name, signal)
      if (signal === 'SIGTERM') expect(code).toBe(0)
      phase = 'undisturbed'
      await sleep(10 * PAUSE_MS)
    }
    isOver = true
    await load
    const lines = [...counts].toSorted().map(([name, times]) => `${name}: ${times}`)
    console.info(`behind the proxy: ${lines.join('; ')}`)
    for (const during of ['undisturbed', 'SIGTERM'] as const) {
      expect([during, counted('reads without an answer', during)]).toEqual([during, 0])
      expect([during, counted('writes without an answer', during)]).toEqual([during, 0])
    }
    expect((await audit(target, sent)).faults).toEqual([])
  })
})
