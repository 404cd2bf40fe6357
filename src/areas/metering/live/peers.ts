import type { Deps } from '../../../platform/deps.ts'
import type { BrokerMessage } from '../../../platform/messaging/broker.ts'
import { type Hub, type Numbers, noNumbers } from './hub.ts'
import {
  LIVE_NUMBERS_EVERY_MS,
  LIVE_NUMBERS_FORGOTTEN_MS,
  LIVE_NUMBERS_TENANTS_MAX,
  LIVE_PROCESSES_MAX,
} from './limits.ts'

const TOPIC = 'netsaat/live-numbers/'
export const NUMBER_TOPICS = `${TOPIC}+`

/** What a process with sockets tells of itself. */
export interface ProcessNumbers {
  readonly processId: string
  /** Epoch milliseconds, both. */
  readonly startedAt: number
  readonly toldAt: number
  readonly all: Numbers
  readonly tenants: ReadonlyMap<string, Numbers>
}

/** The numbers of the other processes, as they told them last. */
export interface Peers {
  hear(message: BrokerMessage): void
  list(now: number): readonly ProcessNumbers[]
}

/** `onNew`: one that was not known, and so knows nothing of us yet. */
export function makePeers(ownId: string, now: () => number, onNew: () => void): Peers {
  const known = new Map<string, ProcessNumbers>()
  return {
    hear({ payload }) {
      const told = readNumbers(payload, now())
      if (!told || told.processId === ownId) return
      const isNew = !known.has(told.processId)
      if (isNew && known.size >= LIVE_PROCESSES_MAX) return
      known.set(told.processId, told)
      if (isNew) onNew()
    },
    list(at) {
      for (const [id, { toldAt }] of known) if (at - toldAt > LIVE_NUMBERS_FORGOTTEN_MS) known.delete(id)
      return [...known.values()]
    },
  }
}

export interface Telling {
  tell(): void
  stop(): void
}

/** Tells the others this process's numbers, every LIVE_NUMBERS_EVERY_MS and when it is asked to. */
export function tellNumbers(
  { broker, log }: Pick<Deps, 'broker' | 'log'>,
  own: () => ProcessNumbers,
): Telling {
  let isTelling = false
  const tell = async () => {
    if (isTelling) return
    isTelling = true
    try {
      const numbers = own()
      await broker.publish(TOPIC + numbers.processId, writeNumbers(numbers), { qos: 0 })
    } catch (error) {
      log.debug({ reason: (error as Error).message }, 'the numbers of live values were not told')
    } finally {
      isTelling = false
    }
  }
  const timer = setInterval(() => void tell(), LIVE_NUMBERS_EVERY_MS).unref()
  return { tell: () => void tell(), stop: () => clearInterval(timer) }
}

export const ownNumbers = (
  hub: Hub,
  process: { processId: string; startedAt: number; toldAt: number },
): ProcessNumbers => ({ ...process, all: hub.numbers(), tenants: hub.numbersByTenant() })

function writeNumbers({ processId, startedAt, all, tenants }: ProcessNumbers): string {
  const busiest = [...tenants].sort(([, a], [, b]) => b.sockets - a.sockets)
  const some = busiest.slice(0, LIVE_NUMBERS_TENANTS_MAX)
  return JSON.stringify({ process_id: processId, started_at: startedAt, all, tenants: some })
}

/** Undefined for what no process of ours can have said. Its clock is not trusted: it was told when we heard it. */
function readNumbers(payload: Buffer, toldAt: number): ProcessNumbers | undefined {
  let told: Record<string, unknown>
  try {
    told = JSON.parse(String(payload)) as Record<string, unknown>
  } catch {
    return undefined
  }
  const { process_id: processId, started_at: startedAt, all, tenants } = told ?? {}
  if (typeof processId !== 'string' || typeof startedAt !== 'number' || !Array.isArray(tenants))
    return undefined
  const byTenant = new Map<string, Numbers>()
  for (const entry of tenants.slice(0, LIVE_NUMBERS_TENANTS_MAX) as unknown[]) {
    if (Array.isArray(entry) && typeof entry[0] === 'string') byTenant.set(entry[0], toNumbers(entry[1]))
  }
  return { processId, startedAt, toldAt, all: toNumbers(all), tenants: byTenant }
}

function toNumbers(told: unknown): Numbers {
  const numbers = noNumbers()
  if (typeof told !== 'object' || told === null) return numbers
  for (const name of Object.keys(numbers) as (keyof Numbers)[]) {
    const value = (told as Record<string, unknown>)[name]
    if (Number.isSafeInteger(value)) numbers[name] = value as number
  }
  return numbers
}
