import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/postgres.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import { runNetsaat, startService } from '../../test/support/process/service.ts'
import type { BareTask } from '../support/bare-list.ts'
import { sized } from '../support/effort.ts'
import { familyOf, memoryOf, serverOf } from '../support/memory.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker } from '../support/worker.ts'

const ROUNDS = sized(3, 1)
/** The idle time of a service before its memory is read. */
const REST_MS = sized(10_000, 2_000)
const RESTART_LIMIT_MS = 1_500
const REST_LIMIT_BYTES = 100 * 2 ** 20

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-bench-'))
  // Root's database user must be able to enter.
  await chmod(folder, 0o755)
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Measured {
  readonly firstMs: number
  readonly againMs: number
  /** Bytes at rest; undefined where they cannot be read. */
  readonly ownBytes: number | undefined
  readonly serverBytes: number | undefined
}

/** The service on an empty folder, then again on the same one. */
const measureService = (): Promise<Measured> =>
  inFolder(async (folder) => {
    const start = () => startService({ env: { DATA_DIR: folder, PORT: '0' } })
    const first = await clocked(start)
    await first.value.stop()
    const again = await clocked(start)
    try {
      await sleep(REST_MS)
      const server = await serverOf(join(folder, 'postgres', 'cluster'))
      const ownBytes = await memoryOf([again.value.pid])
      return {
        firstMs: first.ms,
        againMs: again.ms,
        ownBytes,
        serverBytes: await memoryOf(await familyOf(server)),
      }
    } finally {
      await again.value.stop()
    }
  })

/** The database alone, started by the same starter. */
const measureDatabase = (): Promise<Measured> =>
  inFolder(async (folder) => {
    const start = () => startEmbeddedPostgres({ dataDir: folder, log: makeLog('error') })
    const first = await clocked(start)
    await first.value.stop()
    const again = await clocked(start)
    try {
      await sleep(REST_MS)
      const serverBytes = await memoryOf(await familyOf(await serverOf(again.value.dataFolder)))
      return { firstMs: first.ms, againMs: again.ms, ownBytes: undefined, serverBytes }
    } finally {
      await again.value.stop()
    }
  })

async function clocked<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now()
  const value = await work()
  return { value, ms: performance.now() - begun }
}
/** A process with a single route, run from its sources. */
async function measureBareProcess(): Promise<number | undefined> {
  const bare = startWorker('./bare-list.ts')
  try {
    await bare.ask<string>({ databaseUrl: '', maxConnections: 1, routes: {} } satisfies BareTask)
    await sleep(REST_MS)
    return await memoryOf([bare.pid])
  } finally {
    await bare.end()
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

interface Comparison {
  readonly name: string
  readonly ours: readonly (number | undefined)[]
  readonly bare: readonly (number | undefined)[]
  readonly show: (value: number) => string
  readonly aim?: string
}

function compare({ name, ours, bare, show, aim = '' }: Comparison): Figure {
  const of = (values: readonly (number | undefined)[]) => median(values.map((value) => value ?? Number.NaN))
  return { name, measured: show(of(ours)), against: show(of(bare)), ratio: of(ours) / of(bare), aim }
}

async function measure(): Promise<Figure[]> {
  const services: Measured[] = []
  const databases: Measured[] = []
  // The first start of a checkout builds the program.
  await runNetsaat(['version'], {})
  for (let round = 0; round < ROUNDS; round++) {
    services.push(await measureService())
    databases.push(await measureDatabase())
  }
  const bareBytes = await measureBareProcess()
  const figures = [
    compare({
      name: 'first start to ready (its database alone)',
      ours: services.map(({ firstMs }) => firstMs),
      bare: databases.map(({ firstMs }) => firstMs),
      show: seconds,
    }),
    compare({
      name: 'restart to ready (its database alone)',
      ours: services.map(({ againMs }) => againMs),
      bare: databases.map(({ againMs }) => againMs),
      show: seconds,
    }),
    compare({
      name: 'memory at rest (bare route and driver, from sources)',
      ours: services.map(({ ownBytes }) => ownBytes),
      bare: [bareBytes],
      show: megabytes,
    }),
  ]
  const limits = [
    compare({
      name: 'restart to ready (limit)',
      ours: services.map(({ againMs }) => againMs),
      bare: [RESTART_LIMIT_MS],
      show: seconds,
      aim: '<= 1',
    }),
    compare({
      name: 'memory at rest (limit)',
      ours: services.map(({ ownBytes }) => ownBytes),
      bare: [REST_LIMIT_BYTES],
      show: megabytes,
      aim: '<= 1',
    }),
  ]
  const serverMemory = compare({
    name: "memory at rest of the service's PostgreSQL (PostgreSQL without a client)",
    ours: services.map(({ serverBytes }) => serverBytes),
    bare: databases.map(({ serverBytes }) => serverBytes),
    show: megabytes,
  })
  return [...figures, serverMemory, ...limits]
}

/**
 * From the command to the ready line, and the memory of the idle processes; always with the embedded
 * database.
 */
export const startUpBench: Bench = { name: 'start-up', run: measure }
