/**
 * How the intake over HTTP grows with cores and with processes: one or two processes of the service share a database,
 * and everything, with the database and the load, runs on one core or on two. The processor time of a sample shows
 * whether a further core or process costs more for the same work.
 */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { periodOf } from '../../src/kernel/time.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { hasProgram } from '../../test/support/process/programs.ts'
import type { RunningService } from '../../test/support/process/service.ts'
import type { BodyTask } from '../support/body-sender.ts'
import { sized } from '../support/effort.ts'
import { processorSeconds } from '../support/processor-seconds.ts'
import { withProgram } from '../support/program.ts'
import { runSender } from '../support/run-sender.ts'
import { makeSample } from '../support/samples.ts'
import { makeServerCpu, serverProcesses } from '../support/server-cpu.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'

const DEVICES = 1_000
const STEPS = sized(240, 20)
/** All samples are of the last minute. */
const STEP_MS = 60_000 / STEPS
const PORTION = 5_000
const CONNECTIONS = 4
const ROUNDS = sized(5, 1)
const SAMPLES = DEVICES * STEPS

interface Way {
  readonly cores: number
  readonly processes: number
}
/** Also the warm-up of both processes. */
const BOTH: Way = { cores: 2, processes: 2 }
const WAYS: readonly Way[] = [{ cores: 1, processes: 1 }, { cores: 2, processes: 1 }, BOTH]

interface Result {
  readonly rate: number
  /** Microseconds of processor time of a sample. */
  readonly serviceUs: number
  readonly databaseUs: number
}

/** Lets processes, their threads and those that they start from now on use the first cores only. */
function useCores(cores: number, pids: readonly number[]): void {
  for (const pid of pids) {
    const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', `0-${cores - 1}`, String(pid)])
    if (status !== 0) throw new Error(`taskset: ${stderr}`)
  }
}

function bodiesOf(deviceIds: readonly string[], startAt: number): Buffer[] {
  const bodies: Buffer[] = []
  let texts: string[] = []
  for (let step = 0; step < STEPS; step++) {
    for (const [device, id] of deviceIds.entries()) {
      const { at, values } = makeSample({ startAt, stepMs: STEP_MS }, device, step)
      texts.push(JSON.stringify({ device_id: id, timestamp: new Date(at).toISOString(), values }))
      if (texts.length < PORTION) continue
      bodies.push(Buffer.from(`{"samples":[${texts.join(',')}]}`))
      texts = []
    }
  }
  return bodies
}

interface Setup {
  readonly service: BenchService
  readonly programs: readonly RunningService[]
  readonly deviceIds: readonly string[]
  readonly databaseMs: () => Promise<number[]>
}

async function measureRound(setup: Setup, { cores, processes }: Way): Promise<Result> {
  const { deps, tenant, databaseUrl } = setup.service
  const programs = setup.programs.slice(0, processes)
  await deps.database.owner.pool.query('truncate measurement, rollup_dirty_range')
  const bodies = bodiesOf(setup.deviceIds, Date.now() - 60_000)
  useCores(cores, [
    process.pid,
    ...setup.programs.map(({ pid }) => pid),
    ...(await serverProcesses(databaseUrl)),
  ])
  const serviceSeconds = async () => {
    const seconds = await Promise.all(programs.map(({ pid }) => processorSeconds(pid)))
    return seconds.reduce((sum, one) => sum + one, 0)
  }
  const [serviceBefore, [databaseBefore = 0]] = [await serviceSeconds(), await setup.databaseMs()]
  const headers = { authorization: `Bearer ${tenant.operator.token}`, 'content-type': 'application/json' }
  const took = await Promise.all(
    programs.map(({ url }, number) =>
      runSender('body-sender.ts', {
        ...{ url: `${url}/api/measurements`, headers, connections: CONNECTIONS / processes },
        bodies: bodies.filter((_, index) => index % processes === number),
      } satisfies BodyTask),
    ),
  )
  const [serviceAfter, [databaseAfter = 0]] = [await serviceSeconds(), await setup.databaseMs()]
  const { rows } = await deps.database.pool.query<{ count: string }>('select count(*) from measurement')
  if (Number(rows[0]?.count) !== SAMPLES)
    throw new Error(`${rows[0]?.count} of ${SAMPLES} samples are stored`)
  return {
    rate: (SAMPLES / Math.max(...took)) * 1000,
    serviceUs: ((serviceAfter - serviceBefore) * 1e6) / SAMPLES,
    databaseUs: ((databaseAfter - databaseBefore) * 1000) / SAMPLES,
  }
}

async function measure(service: BenchService, programs: readonly RunningService[]): Promise<Figure[]> {
  await ensurePartitions(service.deps.database, 'measurement', [periodOf(Date.now())])
  const deviceIds = (await createDevices(service, DEVICES)).map(({ id }) => id)
  const setup = { service, programs, deviceIds, databaseMs: await makeServerCpu([service.databaseUrl]) }
  await measureRound(setup, BOTH)
  const results = WAYS.map((): Result[] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, way] of WAYS.entries()) results[index]?.push(await measureRound(setup, way))
  const medians = results.map((rounds): Result => {
    const of = (key: keyof Result) => median(rounds.map((result) => result[key]))
    return { rate: of('rate'), serviceUs: of('serviceUs'), databaseUs: of('databaseUs') }
  })
  return medians.map((result, index): Figure => {
    const { cores, processes } = WAYS[index] ?? BOTH
    const each = `${result.serviceUs.toFixed(1)} µs of the service and ${result.databaseUs.toFixed(1)} µs of PostgreSQL a sample`
    return {
      name: `${NAME}: cores ${cores}, processes ${processes}`,
      measured: `${(result.rate / 1000).toFixed(1)} k samples/s, ${each}`,
      against: index === 0 ? '' : 'one core, one process',
      ratio: index === 0 ? undefined : result.rate / (medians[0]?.rate ?? Number.NaN),
      aim: '',
    }
  })
}

const NAME = 'samples over HTTP by cores and processes, which share the cores with database and load'

export const ingestProcessesBench: Bench = {
  name: 'ingest-processes',
  async run() {
    const allCores = availableParallelism()
    if (!hasProgram('taskset') || allCores < BOTH.cores)
      return [{ name: NAME, measured: 'needs taskset and two cores', against: '', ratio: undefined, aim: '' }]
    const service = await openService(Date.now())
    try {
      return await withProgram(service, {}, (first) =>
        withProgram(service, {}, (second) => measure(service, [first, second])),
      )
    } finally {
      useCores(allCores, [process.pid])
      await service.stop()
    }
  },
}
