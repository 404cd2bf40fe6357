import type pg from 'pg'
import { localYear, type Range } from '../../src/kernel/time.ts'
import { addFacts, hourlyFacts } from '../../test/support/netting/energy.ts'
import { makeGroup } from '../../test/support/netting/netting.ts'
import type { BenchService } from './service.ts'

/** Four plants and six consumers, one of them with its own plant. */
const PRODUCERS = 4
const CONSUMERS = 5
export const FACILITIES = PRODUCERS + CONSUMERS + 1
const LIMIT_KWH = '6000000.000'

/** The solar production and the load of a working day, in kWh, different for every facility and day. */
const sun = (hour: number, facilityIndex: number): string =>
  Math.max(
    0,
    400 * Math.sin(((hour % 24) - 6) * (Math.PI / 12)) * (1 + ((hour * 7 + facilityIndex) % 11) / 20),
  ).toFixed(3)
const load = (hour: number, facilityIndex: number): string =>
  (60 + (((hour % 24) * 13 + facilityIndex * 29 + Math.floor(hour / 24) * 5) % 90)).toFixed(3)

/** A group of ten facilities with hourly facts over a range, which lies in one year. */
export async function createGroup({ deps, tenant }: BenchService, range: Range): Promise<string> {
  const limits = { [localYear(range.from)]: LIMIT_KWH }
  const group = await makeGroup(deps, tenant, {
    members: [
      ...Array.from({ length: PRODUCERS }, () => ({ role: 'production' }) as const),
      ...Array.from({ length: CONSUMERS }, () => ({ role: 'consumption', limits }) as const),
      { role: 'mixed', meters: ['main_production', 'main_consumption'], limits },
    ],
  })
  for (const [index, facility] of group.facilities.entries()) {
    if (facility.meters.main_production) {
      const fact = { facilityId: facility.id, role: 'main_production' } as const
      await addFacts(
        deps,
        tenant,
        hourlyFacts(range, fact, (hour) => ({ production: sun(hour, index) })),
      )
    }
    if (facility.meters.main_consumption) {
      const fact = { facilityId: facility.id, role: 'main_consumption' } as const
      await addFacts(
        deps,
        tenant,
        hourlyFacts(range, fact, (hour) => ({ consumption: load(hour, index) })),
      )
    }
  }
  return group.id
}

/**
 * Tables of a group with its facilities, in the order of their references; the columns are new in each copy.
 */
const COPIED: Readonly<Record<string, readonly string[]>> = {
  subregion: ['id', 'name'],
  facility: ['id', 'name', 'subregion_id'],
  device: ['id', 'name'],
  meter_assignment: ['id', 'subregion_id', 'device_id', 'facility_id'],
  netting_group: ['id', 'name'],
  group_member: ['id', 'group_id', 'facility_id'],
  limit_account: ['id', 'facility_id'],
  limit_movement: ['id', 'account_id'],
  hourly_energy: ['facility_id'],
}
/** Number of copies per statement. */
const COPIES = 20

/**
 * Copies the one group that the tenant has, facts included, inside the database. Returns the ids of the
 * copies. Facts are only read here, so the foreign key of their facility, whose check would cost more than
 * the rest, is dropped in this database.
 */
export async function copyGroup(client: pg.Client, tenantId: number, count: number): Promise<string[]> {
  await client.query('alter table hourly_energy drop constraint hourly_energy_facility_fkey')
  const templates = await client.query(`select id from netting_group where tenant_id = $1`, [tenantId])
  if (templates.rows.length !== 1) throw new Error('the tenant has one group to copy')
  for (const [table, newColumns] of Object.entries(COPIED)) {
    const columns = await client.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_identity = 'NO' order by ordinal_position`,
      [table],
    )
    const copied = columns.rows.map(({ name, type }) => {
      if (!newColumns.includes(name)) return name
      return type === 'uuid' ? `md5(${name}::text || n)::uuid` : `name || ' ' || n`
    })
    await client.query(`create temp table template as select * from ${table} where tenant_id = ${tenantId}`)
    for (let first = 1; first <= count; first += COPIES) {
      await client.query(
        `insert into ${table} (${columns.rows.map(({ name }) => name).join(', ')})
         select ${copied.join(', ')} from generate_series($1::int, $2::int) as n cross join template`,
        [first, Math.min(count, first + COPIES - 1)],
      )
    }
    await client.query('drop table template')
  }
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ id: string }>(
    `select id from netting_group where tenant_id = $1 and id <> $2 order by id`,
    [tenantId, templates.rows[0].id],
  )
  return rows.map(({ id }) => id)
}
