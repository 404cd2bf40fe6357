import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { INGEST_BATCH_ROWS_MAX } from '../../src/areas/metering/intake/limits.ts'
import { BinaryCopy } from '../../src/platform/db/binary-copy.ts'
import { makeSample } from './samples.ts'
import { timed } from './types.ts'

const REGISTERS = new Set([
  'import_active_energy',
  'export_active_energy',
  'inductive_reactive_energy',
  'capacitive_reactive_energy',
])
const COLUMNS = [
  'tenant_id',
  'device_key',
  'ts',
  ...Object.keys(makeSample({ startAt: 0, stepMs: 1 }, 0, 0).values),
]

interface BareSamples {
  readonly tenantId: number
  readonly keys: readonly number[]
  readonly startAt: number
  readonly stepMs: number
  /** Samples of each device. */
  readonly steps: number
}

/** Samples as prepared COPY data, in batches of the size of the service: the reference costs the client nothing. */
export function bareBatches({ tenantId, keys, startAt, stepMs, steps }: BareSamples): Buffer[] {
  const batches: Buffer[] = []
  const perBatch = INGEST_BATCH_ROWS_MAX / keys.length
  for (let from = 0; from < steps; from += perBatch) {
    const copy = new BinaryCopy()
    for (let step = from; step < Math.min(steps, from + perBatch); step++) {
      for (const [device, key] of keys.entries()) {
        const { at, values } = makeSample({ startAt, stepMs }, device, step)
        copy.row(COLUMNS.length)
        copy.int4(tenantId)
        copy.int4(key)
        copy.timestamptz(at)
        for (const [name, value] of Object.entries(values)) {
          if (REGISTERS.has(name)) copy.int8(Math.round(value * 1e6))
          else copy.float8(value)
        }
      }
    }
    batches.push(copy.finish())
  }
  return batches
}

/** Copies the batches over some connections; returns the milliseconds that it took. */
export async function copyAll(url: string, batches: readonly Buffer[], connections: number): Promise<number> {
  const columns = COLUMNS.join(', ')
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(
        `create temp table staged on commit delete rows as select ${columns} from measurement with no data`,
      )
      return client
    }),
  )
  let next = 0
  const worker = async (client: pg.Client): Promise<void> => {
    for (let batch = batches[next++]; batch; batch = batches[next++]) {
      const bytes = batch
      await client.query('begin')
      const stream = client.query(copyFrom(`copy staged (${columns}) from stdin (format binary)`))
      await new Promise<void>((resolve, reject) => {
        stream.on('finish', resolve).on('error', reject)
        stream.end(bytes)
      })
      await client.query(
        `insert into measurement (${columns}) select ${columns} from staged on conflict do nothing`,
      )
      await client.query('commit')
    }
  }
  const tookMs = await timed(() => Promise.all(clients.map(worker)))
  await Promise.all(clients.map((client) => client.end()))
  return tookMs
}
