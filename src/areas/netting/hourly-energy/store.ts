import { sql } from 'kysely'
import { NEIGHBOUR_READINGS, type Reading } from '../../../core/netting/counter/readings.ts'
import { toReading } from '../../../core/netting/counter/session-register.ts'
import { IMPORTED_SOURCES } from '../../../core/netting/official-meters.ts'
import type { RoleSpan } from '../../../core/netting/role-sets.ts'
import type { DataQuality, FactSource, MeasurementRole, MemberRole } from '../../../core/netting/types.ts'
import { formatKwh, parseKwh } from '../../../kernel/decimal.ts'
import { SESSION_BEGIN_ENERGY, SESSION_END_ENERGY } from '../../../kernel/metrics.ts'
import { dayStart, localDate, type Range } from '../../../kernel/time.ts'
import { readList } from '../../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { Listed } from '../../../platform/http/page.ts'
import { selectNearest, selectRanges } from '../../metering/history/index.ts'
import type { Fact } from './facts.ts'
import { KWH_COLUMNS, type Register } from './roles.ts'
import type { HourlyEnergy } from './schema.ts'

export const findFacility = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'facility').select('id').where('id', '=', id).executeTakeFirst()

/**
 * Locks a facility: builds of one facility are serialized. A statement that only references the facility does
 * not wait for the lock.
 */
export const lockFacility = (tx: TenantTx, id: string) =>
  selectRows(tx, 'facility').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Epoch milliseconds. A double represents them exactly, like millionths of a kWh up to 9e15. */
const atMs = sql<number>`(extract(epoch from ts) * 1000)::float8`
const asNumber = (register: Register) => sql<number | null>`${sql.ref(register)}::float8`
/** A session value of a sample (see `toReading`). */
const sessionValue = (metric: string) => sql<number | null>`(extra ->> ${metric}::text)::float8`
const beginKwh = sessionValue(SESSION_BEGIN_ENERGY)
const endKwh = sessionValue(SESSION_END_ENERGY)
interface MarkedRow {
  readonly at: number
  readonly begin_kwh: number | null
  readonly end_kwh: number | null
}
const readingOf = (register: Register, value: number, row: MarkedRow): Reading =>
  toReading({ at: row.at, value }, { register, beginKwh: row.begin_kwh, endKwh: row.end_kwh })

/**
 * Returns the registers of a device by name, each in ascending order, from the samples in the range with both
 * ends included.
 */
export async function readRegisters(
  tenant: TenantDb,
  deviceKey: number,
  { registers, range }: { registers: readonly Register[]; range: Range },
): Promise<Map<Register, Reading[]>> {
  const query = selectRows(tenant, 'measurement')
    .select([
      atMs.as('at'),
      beginKwh.as('begin_kwh'),
      endKwh.as('end_kwh'),
      ...registers.map((register) => asNumber(register).as(register)),
    ])
    .where('device_key', '=', deviceKey)
    .where('ts', '>=', new Date(range.from))
    .where('ts', '<=', new Date(range.to))
    .orderBy('ts')
    .$castTo<MarkedRow & Partial<Record<Register, number | null>>>()
  const rows = await selectRanges(tenant, [{ deviceKey, range }], query)
  return new Map(
    registers.map((register) => [
      register,
      rows.flatMap((row) => {
        const value = row[register]
        return typeof value === 'number' ? [readingOf(register, value, row)] : []
      }),
    ]),
  )
}

const instants = (rows: readonly MarkedRow[]): number[] => rows.map(({ at }) => at)

/** The last readings of a register before the range and the first after it, ascending. */
export async function readNeighbours(
  { db, tenantId }: TenantDb,
  deviceKey: number,
  { register, range }: { register: Register; range: Range },
): Promise<{ before: Reading[]; after: Reading[] }> {
  const readings = sql`select ${atMs} as at, ${asNumber(register)} as value,
      ${beginKwh} as begin_kwh, ${endKwh} as end_kwh from measurement
    where tenant_id = ${tenantId} and device_key = ${deviceKey} and ${sql.ref(register)} is not null`
  const query = sql<MarkedRow & { readonly value: number }>`
    (${readings} and ts < ${new Date(range.from)} order by ts desc limit ${NEIGHBOUR_READINGS})
    union all
    (${readings} and ts > ${new Date(range.to)} order by ts limit ${NEIGHBOUR_READINGS})
    order by at`
  const side = { deviceKey, metric: register, count: NEIGHBOUR_READINGS }
  const rows = await selectNearest({ db, tenantId }, query, (read) => [
    { ...side, at: range.from, isAfter: false, found: instants(read.filter(({ at }) => at < range.from)) },
    { ...side, at: range.to, isAfter: true, found: instants(read.filter(({ at }) => at > range.to)) },
  ])
  const found = rows.map((row) => readingOf(register, row.value, row))
  return {
    before: found.filter((reading) => reading.at < range.from),
    after: found.filter((reading) => reading.at > range.to),
  }
}

const factColumns = [
  'facility_id',
  'hour',
  'source',
  'measurement_role',
  ...KWH_COLUMNS,
  'data_quality',
  'completeness_pct',
] as const

/** Every fact of a facility in a range, of all sources. */
export async function readFacts(tenant: TenantDb, facilityId: string, { from, to }: Range): Promise<Fact[]> {
  const rows = await selectRows(tenant, 'hourly_energy')
    .select(factColumns)
    .where('facility_id', '=', facilityId)
    .where('hour', '>=', new Date(from))
    .where('hour', '<', new Date(to))
    .execute()
  return rows.map((row) => ({
    hour: row.hour.getTime(),
    source: row.source as FactSource,
    role: row.measurement_role as MeasurementRole,
    kwh: Object.fromEntries(
      KWH_COLUMNS.map((column) => [column, row[column] === null ? null : parseKwh(row[column])]),
    ),
    quality: row.data_quality as DataQuality,
    completenessPct: Number(row.completeness_pct),
  }))
}

/** Upserts facts by their key. The caller has compared them and holds the facility's lock. */
export async function upsertFacts(
  { db, tenantId }: TenantTx,
  facilityId: string,
  { facts, roles, now }: { facts: readonly Fact[]; roles: readonly RoleSpan[]; now: number },
): Promise<void> {
  if (facts.length === 0) return
  const kwh = KWH_COLUMNS.map((column) => {
    const values = facts.map((fact) => {
      const value = fact.kwh[column]
      return value === undefined || value === null ? null : formatKwh(value)
    })
    return sql`${values}::numeric[]`
  })
  await sql`
    insert into hourly_energy (tenant_id, facility_id, computed_at, hour, source, measurement_role,
      ${sql.join(KWH_COLUMNS.map((column) => sql.ref(column)))}, data_quality, completeness_pct, role_set)
    select ${tenantId}, ${facilityId}::uuid, ${new Date(now)}::timestamptz, fact.* from unnest(
      ${facts.map((fact) => new Date(fact.hour))}::timestamptz[],
      ${facts.map((fact) => fact.source)}::text[],
      ${facts.map((fact) => fact.role)}::text[],
      ${sql.join(kwh)},
      ${facts.map((fact) => fact.quality)}::text[],
      ${facts.map((fact) => fact.completenessPct)}::numeric[],
      ${facts.map(({ hour }) => roleSetAt(roles, hour))}::smallint[]) as fact
    on conflict (tenant_id, facility_id, hour, source, measurement_role) do update set
      ${sql.join(KWH_COLUMNS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))},
      data_quality = excluded.data_quality, completeness_pct = excluded.completeness_pct,
      role_set = excluded.role_set, computed_at = excluded.computed_at`.execute(db)
}

const roleSetAt = (roles: readonly RoleSpan[], hour: number): number =>
  roles.find(({ from, to }) => from <= hour && hour < to)?.roleSet ?? 0

/** Records the roles in force on derived facts whose values did not change. It does not count as a new computation. */
export async function stampRoles(
  { db, tenantId }: TenantTx,
  facilityId: string,
  roles: readonly RoleSpan[],
): Promise<void> {
  await sql`
    update hourly_energy e set role_set = s.role_set
    from unnest(${roles.map(({ from }) => new Date(from))}::timestamptz[],
      ${roles.map(({ to }) => new Date(to))}::timestamptz[],
      ${roles.map(({ roleSet }) => roleSet)}::smallint[]) as s (from_hour, to_hour, role_set)
    where e.tenant_id = ${tenantId} and e.facility_id = ${facilityId}
      and e.hour >= ${new Date(roles[0]?.from ?? 0)} and e.hour < ${new Date(roles.at(-1)?.to ?? 0)}
      and e.hour >= s.from_hour and e.hour < s.to_hour
      and e.source = any(${[...IMPORTED_SOURCES, 'zeus_meter', 'missing']})
      and e.role_set is distinct from s.role_set`.execute(db)
}

export interface Membership extends Range {
  readonly role: MemberRole
}

/** The memberships of a facility in any group during a range. */
export async function listMemberships(
  { db, tenantId }: TenantDb,
  facilityId: string,
  range: Range,
): Promise<Membership[]> {
  const rows = await selectRows({ db, tenantId }, 'group_member')
    .select(['member_role', 'valid_from', 'valid_to'])
    .where('facility_id', '=', facilityId)
    .where('valid_from', '<=', localDate(range.to))
    .where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', localDate(range.from))]))
    .execute()
  return rows.map((row) => ({
    role: row.member_role as MemberRole,
    from: Math.max(range.from, dayStart(row.valid_from)),
    to: row.valid_to === null ? range.to : Math.min(range.to, dayStart(row.valid_to)),
  }))
}

export async function removeFacts(
  { db, tenantId }: TenantTx,
  facilityId: string,
  facts: readonly Fact[],
): Promise<void> {
  if (facts.length === 0) return
  await sql`
    delete from hourly_energy e using unnest(
      ${facts.map((fact) => new Date(fact.hour))}::timestamptz[],
      ${facts.map((fact) => fact.source)}::text[],
      ${facts.map((fact) => fact.role)}::text[]) as gone (hour, source, measurement_role)
    where e.tenant_id = ${tenantId} and e.facility_id = ${facilityId} and e.hour = gone.hour
      and e.source = gone.source and e.measurement_role = gone.measurement_role`.execute(db)
}

export interface FactPage {
  readonly range: Range
  readonly limit: number
  readonly offset: number
}

/** The rows of a facility by hour; within an hour by source and role. */
export async function listFacts(
  tenant: TenantDb,
  facilityId: string,
  { range, limit, offset }: FactPage,
): Promise<Listed<HourlyEnergy>> {
  const rows = selectRows(tenant, 'hourly_energy')
    .where('facility_id', '=', facilityId)
    .where('hour', '>=', new Date(range.from))
    .where('hour', '<', new Date(range.to))
    .select(factColumns)
    .orderBy('hour')
    .orderBy('source')
    .orderBy('measurement_role')
  const { items, total } = await readList(rows, { limit, offset })
  return {
    items: items.map((row) => ({ ...row, completeness_pct: Number(row.completeness_pct) }) as HourlyEnergy),
    total,
  }
}
