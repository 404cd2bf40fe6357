import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type BatchConnection, makeBatchWriter } from '../../../src/areas/metering/intake/batch-connection.ts'
import type { Part } from '../../../src/areas/metering/intake/block.ts'
import { SampleQueue } from '../../../src/areas/metering/intake/queue.ts'
import { type BatchLimits, BatchRetry } from '../../../src/areas/metering/intake/queue-options.ts'
import { Requests } from '../../../src/areas/metering/intake/requests.ts'
import { storeBatch } from '../../../src/areas/metering/intake/write-store.ts'
import { violatedConstraint } from '../../../src/platform/db/constraints.ts'
import { connect } from '../../../src/platform/db/pool.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDatabase } from '../../support/database.ts'
import { lockWaits } from '../../support/lock-waits.ts'
import { createDevice, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

type Store = (connection: BatchConnection, parts: readonly Part[]) => Promise<void>

interface IntakeOptions {
  readonly devices: readonly TestDevice[]
  /** Stores a batch, given how the service does it. */
  readonly around?: (store: Store) => Store
  readonly onStored?: (part: Part) => Promise<void> | undefined
  readonly limits?: Partial<BatchLimits>
}

/** An intake with one connection of its own, beside the one of the service. */
function makeIntake({ devices, around = (store) => store, onStored, limits }: IntakeOptions) {
  const { database, log } = api.deps
  const now = () => api.clock.now()
  const store: Store = (connection, parts) => storeBatch({ database, connection, parts, now: now() })
  const writer = makeBatchWriter({ database, log, store: around(store) })
  const queue = new SampleQueue({ writers: [writer], now, ...(onStored && { onStored }) }, limits)
  onTestFinished(() => queue.drain())
  const keys = new Map(devices.map(({ id, key }) => [id, key]))
  const requests = new Requests({ queue, directory: { find: () => keys }, now }, { waitMs: 200_000 })
  const submit = ({ id: deviceId }: TestDevice) =>
    requests.submit(tenant.id, [{ deviceId, at: api.clock.now(), values: { active_power: 7 } }])
  return { queue, submit }
}

const holds = (parts: readonly Part[], { id }: TestDevice): boolean =>
  parts.some(({ block, from, to }) => {
    for (let index = from; index < to; index++) if (block.deviceIdOf(index) === id) return true
    return false
  })

it('a committed half of a batch is written once when the connection is lost before its acknowledgement', async () => {
  const { pool } = api.deps.database
  const [first, faulty, second] = [
    await createDevice(api, tenant),
    await createDevice(api, tenant),
    await createDevice(api, tenant),
  ]
  await pool.query(
    `alter table measurement add constraint faulty check (device_key <> ${faulty.key}) not valid`,
  )
  onTestFinished(async () => void (await pool.query('alter table measurement drop constraint faulty')))
  let stored = 0
  let isLost = false
  let acknowledge = () => {}
  const afterCommit = new Promise<void>((resolve) => {
    acknowledge = resolve
  })
  const { queue, submit } = makeIntake({
    devices: [first, faulty, second],
    // The half with the second device finds its connection terminated.
    around: (store) => async (connection, parts) => {
      if (!isLost && holds(parts, second) && !holds(parts, faulty)) {
        isLost = true
        const { rows } = await connection.client.query<{ pid: number }>('select pg_backend_pid() as pid')
        // Citus adds a function of the same name for bigint.
        await pool.query('select pg_terminate_backend($1::int, 60000)', [rows[0]?.pid])
      }
      await store(connection, parts)
    },
    onStored: (part) => {
      stored += part.size
      return afterCommit
    },
  })
  const outcomes = Promise.allSettled([first, faulty, second].map(submit))
  await waitFor(() => queue.waitingSamples === 0 && isLost && stored >= 2)
  acknowledge()
  const once = { accepted: 1, duplicates: 0, setAside: [] }
  const [before, refused, after] = await outcomes
  expect([before, after]).toMatchObject([{ value: once }, { value: once }])
  expect(refused?.status === 'rejected' && violatedConstraint(refused.reason)).toBe('faulty')
  expect(stored).toBe(2)
})

it('a stop ends within its limit while the database hangs, and refuses what is left with 503', async () => {
  const { pool } = api.deps.database
  const device = await createDevice(api, tenant)
  const holder = await pool.connect()
  await holder.query('begin; lock table measurement in access exclusive mode')
  onTestFinished(async () => {
    await holder.query('rollback')
    holder.release()
  })
  const isStatementWaiting = async () => (await lockWaits(api.deps.database)).length > 0
  const { queue, submit } = makeIntake({ devices: [device], limits: { drainMs: 100 } })
  const written = submit(device)
  await waitFor(isStatementWaiting)
  const waiting = submit(device)
  const [, ...ends] = await Promise.allSettled([queue.drain(), written, waiting])
  // The stop has not waited for the statement, which ends much later by its timeout.
  expect(await isStatementWaiting()).toBe(true)
  const refused = { status: 503, code: 'SERVICE_OVERLOADED' }
  expect(ends).toMatchObject([{ reason: refused }, { reason: refused }])
})

it('a connection that opens after the stop is given back', async () => {
  const own = await createDatabase()
  const database = connect({ url: own.url })
  onTestFinished(() => own.drop())
  const writer = makeBatchWriter({ database, log: api.deps.log, store: async () => {} })
  const written = writer.write([])
  await writer.close()
  await expect(written).rejects.toBeInstanceOf(BatchRetry)
  // Resolves when the pool has all of its connections.
  await database.close()
})
