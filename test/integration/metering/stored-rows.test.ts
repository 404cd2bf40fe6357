import { expect, it } from 'vitest'
import { storedText } from '../../../src/areas/metering/intake/stored-rows-store.ts'
import { ensurePartitions } from '../../../src/platform/db/partitions.ts'
import { connect } from '../../../src/platform/db/pool.ts'
import { createDatabase } from '../../support/database.ts'

const ROWS = 5_000
const BEGIN = Date.UTC(2026, 10, 1)

interface Plan {
  /** Of a node that reads a table. */
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
  /** Of a node of Citus: the plans of its tasks on the shards. */
  readonly 'Distributed Query'?: {
    readonly Job: {
      readonly Tasks: readonly { readonly 'Remote Plan': readonly { readonly Plan: Plan }[][] }[]
    }
  }
}
const nodesOf = (plan: Plan): Plan[] => [
  plan,
  ...(plan.Plans ?? []).flatMap(nodesOf),
  ...(plan['Distributed Query']?.Job.Tasks ?? [])
    .flatMap((task) => task['Remote Plan'].flat())
    .flatMap((remote) => nodesOf(remote.Plan)),
]

it.each([false, true])(
  'stored rows are looked up by their keys in a month without statistics (locked: %s)',
  async (isLocked) => {
    const { url, drop } = await createDatabase()
    const database = connect({ url })
    const client = await database.pool.connect()
    try {
      await ensurePartitions(database, 'measurement', ['2026-11-01'])
      // In a transaction that does not commit, so that the month is not analyzed meanwhile.
      await client.query('begin')
      const rows = Array.from({ length: ROWS }, (_, index) => ({
        no: index,
        key: 1 + (index % 8),
        ts: new Date(BEGIN + Math.floor(index / 8) * 60_000).toISOString(),
      }))
      await client.query(
        `insert into measurement (tenant_id, device_key, ts, voltage)
         select 1, *, 230 from unnest($1::int[], $2::timestamptz[])`,
        [rows.map(({ key }) => key), rows.map(({ ts }) => ts)],
      )
      const list = (values: readonly (string | number)[], type: string) => `'{${values.join()}}'::${type}[]`
      const arrays = [
        list(
          rows.map(({ no }) => no),
          'int',
        ),
        list(
          rows.map(({ key }) => key),
          'int',
        ),
        list(
          rows.map(({ ts }) => ts),
          'timestamptz',
        ),
      ].join(', ')
      const text = storedText({ tenantId: 1, arrays, isLocked })
      const { rows: plans } = await client.query(`explain (format json) ${text}`)
      const ofStored = nodesOf(plans[0]['QUERY PLAN'][0].Plan).filter((node) => 'Relation Name' in node)
      expect(ofStored.length).toBeGreaterThan(0)
      for (const node of ofStored) expect(node['Index Cond']).toMatch(/device_key = .*ts = /)
      expect((await client.query(text)).rowCount).toBe(ROWS)
    } finally {
      client.release(true)
      await database.close()
      await drop()
    }
  },
)
