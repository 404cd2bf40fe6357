import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../json.ts'
import type { Random } from '../seed.ts'

/** The address and the login for sending samples. */
export interface Target {
  readonly url: string
  readonly token: string
  readonly deviceIds: readonly string[]
}

/** One request: a sample of every device at each of `count` steps. */
export interface Batch {
  readonly from: number
  readonly count: number
}

export type Outcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: Json
    }
  /** Connection refused: the request was never received. */
  | { readonly kind: 'refused' }
  /** The connection broke before the whole response had arrived: nothing is known about the samples. */
  | { readonly kind: 'broken'; readonly reason: string }

const STEP_MS = 1000
const DAY_MS = 86_400_000
/** The start of the day before yesterday: the past, so that nothing is quarantined, and on a whole hour. */
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS
export const timeOf = (step: number): string => new Date(START + step * STEP_MS).toISOString()

/** Computed from device and step alone, so that values read back can be compared without a stored copy. */
export const valuesOf = (device: number, step: number): Record<string, number> => ({
  import_active_energy: (1_000_000 * (device + 1) + step * 7) / 1000,
  active_power: ((step * 31 + device * 17) % 9000) / 100,
  voltage_l1: 220 + ((step + device) % 200) / 10,
  sequence: step,
})

const bodyOf = ({ deviceIds }: Target, { from, count }: Batch): Buffer => {
  const samples = []
  for (let step = from; step < from + count; step++)
    for (const [device, device_id] of deviceIds.entries())
      samples.push({ device_id, timestamp: timeOf(step), values: valuesOf(device, step) })
  return Buffer.from(JSON.stringify({ samples }))
}

/** Sends one batch. Never throws: every failure is an outcome. */
export function send(target: Target, batch: Batch, agent: Agent): Promise<Outcome> {
  const body = bodyOf(target, batch)
  const headers = {
    authorization: `Bearer ${target.token}`,
    'content-type': 'application/json',
    'content-length': body.length,
  }
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'ECONNREFUSED'
          ? { kind: 'refused' }
          : { kind: 'broken', reason: error.code ?? error.message },
      )
    const sent = request(`${target.url}/api/measurements`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', failed)
      response.on('close', () => failed(new Error('the answer was torn')))
      response.on('end', () => {
        const status = response.statusCode ?? 0
        const text = Buffer.concat(chunks).toString()
        // The page of a proxy says nothing about the samples.
        if (text.startsWith('<')) resolve({ kind: 'broken', reason: `a page with ${status}` })
        else resolve({ kind: 'answered', status, body: JSON.parse(text) })
      })
    })
    sent.setTimeout(30_000, () => sent.destroy(new Error('no answer for 30 s')))
    sent.on('error', failed)
    sent.end(body)
  })
}

export interface SentBatch extends Batch {
  readonly outcome: Outcome
}
export const isAcknowledged = ({ outcome }: SentBatch): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300

export interface Load {
  /** The counts so far, by outcome. */
  readonly sent: readonly SentBatch[]
  /** Resolves when that number is acknowledged; rejects after two minutes. */
  acknowledged(count: number): Promise<void>
  /** Lets every client finish its current request. */
  end(): Promise<readonly SentBatch[]>
}

const ACKNOWLEDGED_MAX_MS = 120_000
const CLIENTS = 6
const STEPS = [1, 5, 20, 60] as const

/**
 * Several concurrent clients, each sending its next batch after the response to the last, until the
 * connection is refused.
 */
export function startLoad(target: Target, random: Random, firstStep: number, clientCount = CLIENTS): Load {
  const sent: SentBatch[] = []
  let next = firstStep
  let isOver = false
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver) {
      const batch = { from: next, count: random.pick(STEPS) }
      next += batch.count
      const outcome = await send(target, batch, agent)
      sent.push({ ...batch, outcome })
      if (outcome.kind === 'refused') break
    }
    agent.destroy()
  }
  const clients = Promise.all(Array.from({ length: clientCount }, client))
  return {
    sent,
    async acknowledged(count) {
      const until = performance.now() + ACKNOWLEDGED_MAX_MS
      while (sent.filter(isAcknowledged).length < count) {
        if (performance.now() > until)
          throw new Error(`${sent.length} batches in two minutes: ${lastOutcome(sent)}`)
        await sleep(5)
      }
    },
    async end() {
      isOver = true
      await clients
      return sent
    },
  }
}

const lastOutcome = (sent: readonly SentBatch[]): string => JSON.stringify(sent.at(-1)?.outcome)
