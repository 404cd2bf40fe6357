import { type RawBuilder, sql } from 'kysely'
import { COMPLETE_FROM_PCT } from '../../../core/netting/counter/quality.ts'
import type {
  ImportedSource,
  OfficialGroup,
  OfficialMeter,
  OfficialPoint,
} from '../../../core/netting/official-meters.ts'
import type { RoleSpan } from '../../../core/netting/role-sets.ts'
import type { MeasurementRole } from '../../../core/netting/types.ts'
import type { Range } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { KWH_COLUMNS } from './roles.ts'

interface MeterRow {
  id: string
  facility_id: string | null
  measurement_role: MeasurementRole | null
  fact_source: ImportedSource
  points: { id: string; facility_id: string; from: number; to: number | null }[]
}

/**
 * A declared meter is in force from its first to its last reading: a file about the past must not change the
 * formula of later hours.
 */
const meterRows = (tenantId: number) => sql`
  select i.id, case when i.fact_source = 'osos_official_meter' then i.facility_id end as facility_id,
    i.measurement_role, i.fact_source, case when i.fact_source = 'osos_official_meter' then coalesce((
      select jsonb_agg(jsonb_build_object('id', p.id, 'facility_id', p.facility_id,
        'from', extract(epoch from p.valid_from) * 1000, 'to', extract(epoch from p.valid_to) * 1000) order by p.id)
      from metering_point p
      where (p.tenant_id, p.osos_installation_id) = (${tenantId}, i.id)), '[]')
    else coalesce((
      select jsonb_agg(jsonb_build_object('id', i.id, 'facility_id', i.facility_id,
        'from', extract(epoch from s.first) * 1000, 'to', extract(epoch from s.last) * 1000 + 3600000))
      from (select min(r.hour) as first, max(r.hour) as last from osos_reading r
        where r.tenant_id = ${tenantId} and r.installation_id = i.id) s
      where s.first is not null and i.facility_id is not null), '[]') end as points
  from osos_installation i`

const meterOf = (row: MeterRow): OfficialMeter => ({
  id: row.id,
  source: row.fact_source,
  facilityId: row.facility_id,
  role: row.measurement_role,
  points: row.points.map(
    ({ facility_id: facilityId, ...point }): OfficialPoint => ({ facilityId, ...point }),
  ),
})

/** Lists the installations that are or were assigned to one of the facilities, with all their assignments. */
export async function listMetersAt(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
): Promise<OfficialMeter[]> {
  if (facilityIds.length === 0) return []
  const { rows } = await sql<MeterRow>`${meterRows(tenantId)}
    where i.tenant_id = ${tenantId} and (i.facility_id = any(${facilityIds}::uuid[]) or i.id in (
      select p.osos_installation_id from metering_point p
      where p.tenant_id = ${tenantId} and p.facility_id = any(${facilityIds}::uuid[])
        and p.osos_installation_id is not null))
    order by i.id`.execute(db)
  return rows.map(meterOf)
}

export async function listMeters(
  { db, tenantId }: TenantDb,
  ids: readonly string[],
): Promise<OfficialMeter[]> {
  const { rows } = await sql<MeterRow>`${meterRows(tenantId)}
    where i.tenant_id = ${tenantId} and i.id = any(${ids}::uuid[]) order by i.id`.execute(db)
  return rows.map(meterOf)
}

/**
 * The ranges in which installations have readings: first to last reading of each Turkey-local month,
 * ascending.
 */
export async function readingRanges({ db, tenantId }: TenantDb, ids: readonly string[]): Promise<Range[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ from: Date; to: Date }>`
    select min(hour) as from, max(hour) + interval '1 hour' as to from osos_reading
    where tenant_id = ${tenantId} and installation_id = any(${ids}::uuid[])
    group by date_trunc('month', hour at time zone 'UTC' + interval '3 hours') order by 1`.execute(db)
  return rows.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() }))
}

/** The columns of a fact as SQL over drawn and fed energy: the formulas of roles.ts for a plain meter. */
const COLUMN_SQL: Readonly<Record<(typeof KWH_COLUMNS)[number], RawBuilder<unknown>>> = {
  production_kwh: sql`case when role in ('main_production', 'aux_production') then fed end`,
  consumption_kwh: sql`case when role in ('main_consumption', 'osb_eb_consumption', 'aux_consumption') then drawn end`,
  self_consumption_kwh: sql`case when role = 'self_consumption' then drawn end`,
  import_kwh: sql`case when role in ('pcc_import_export', 'check_meter') then drawn end`,
  export_kwh: sql`case when role in ('pcc_import_export', 'check_meter') then fed end`,
  battery_kwh: sql`case when role = 'battery' then fed - drawn end`,
}
const kwh = sql.join(KWH_COLUMNS.map((column) => sql.ref(column)))
const excluded = sql.join(KWH_COLUMNS.map((column) => sql.ref(`excluded.${column}`)))

export interface OfficialChanges {
  readonly rowsWritten: number
  /** Hours that lost their official value. */
  readonly clearedHours: readonly number[]
}

export interface OfficialFacts {
  readonly source: ImportedSource
  /** The groups of meters of this source. */
  readonly groups: readonly (OfficialGroup & RoleSpan)[]
  readonly range: Range
  readonly now: number
}

/** The spans of the meters of each role, and the roles in force, as tables of a statement. */
const pieces = (groups: readonly (OfficialGroup & RoleSpan)[]): RawBuilder<unknown> => {
  const members = groups.flatMap(({ meterIds }, no) => meterIds.map((id) => ({ no, id })))
  return sql`piece as (select * from unnest(
        ${groups.map((_, no) => no)}::int[], ${groups.map(({ role }) => role)}::text[],
        ${groups.map((group) => new Date(group.from))}::timestamptz[],
        ${groups.map((group) => new Date(group.to))}::timestamptz[],
        ${groups.map(({ meterIds }) => meterIds.length)}::int[], ${groups.map(({ roleSet }) => roleSet)}::smallint[])
          as p (no, role, from_hour, to_hour, meters, role_set)),
    member as (select * from unnest(${members.map(({ no }) => no)}::int[],
        ${members.map(({ id }) => id)}::uuid[]) as m (no, installation_id))`
}

/**
 * Makes the facts of a facility with one imported source in a range equal to its readings, in one statement.
 * An hour of several meters has a fact when each of them has a reading. A suspect reading yields a fact
 * without a value; a reading around a reset is suspect with a value, and a partly covered one is partial.
 * Otherwise a changed fact, and a new fact in an hour of another source, is `corrected`. A row with source
 * missing is deleted where a value exists.
 *
 * The planner cannot estimate the number of facts and would use a nested loop with 76 million comparisons for
 * a year. An `in` that it cannot turn into a join is executed as a lookup in a hash table.
 */
export async function writeOfficialFacts(
  { db, tenantId }: TenantTx,
  facilityId: string,
  { source, groups, range, now }: OfficialFacts,
): Promise<OfficialChanges> {
  const [from, to] = [new Date(range.from), new Date(range.to)]
  const { rows } = await sql<{ written: string; lost: string[] | null }>`
    with ${pieces(groups)},
    official as (
      select p.role, p.role_set, r.hour, bool_or(r.is_suspect) as is_suspect, bool_or(r.is_reset) as is_reset,
        min(r.completeness_pct) as completeness_pct,
        case when bool_and(r.import_kwh is not null) then sum(r.import_kwh) end as drawn,
        case when bool_and(r.export_kwh is not null) then sum(r.export_kwh) end as fed
      from member m join piece p using (no) join osos_reading r on r.tenant_id = ${tenantId}
        and r.installation_id = m.installation_id and r.hour >= p.from_hour and r.hour < p.to_hour
      group by p.no, p.role, p.role_set, r.hour, p.meters having count(*) = p.meters),
    formula as (select role, role_set, hour, is_suspect, is_reset, completeness_pct,
        ${sql.join(KWH_COLUMNS.map((column) => sql`${COLUMN_SQL[column]} as ${sql.ref(column)}`))}
      from official),
    fact as materialized (select *, num_nonnulls(${kwh}) > 0 and not is_suspect as has_value from formula
      where is_suspect or num_nonnulls(${kwh}) > 0),
    gone as (delete from hourly_energy e
      where e.tenant_id = ${tenantId} and e.facility_id = ${facilityId} and e.hour >= ${from} and e.hour < ${to}
        and e.source = ${source}
        and (e.hour, e.measurement_role) not in (select hour, role from fact)
      returning e.hour),
    others as (select hour, measurement_role from hourly_energy
      where tenant_id = ${tenantId} and facility_id = ${facilityId} and hour >= ${from} and hour < ${to}
        and source <> ${source}),
    found as (delete from hourly_energy e
      where e.tenant_id = ${tenantId} and e.facility_id = ${facilityId} and e.hour >= ${from} and e.hour < ${to}
        and e.source = 'missing'
        and ((e.hour, e.measurement_role) in (select hour, role from fact where has_value)) is true
      returning e.hour),
    written as (insert into hourly_energy (tenant_id, facility_id, hour, source, measurement_role, ${kwh},
        data_quality, completeness_pct, role_set, computed_at)
      select ${tenantId}, ${facilityId}, f.hour, ${source}, f.role,
        ${sql.join(KWH_COLUMNS.map((column) => sql`case when f.has_value then ${sql.ref(`f.${column}`)} end`))},
        case when not f.has_value or f.is_reset then 'suspect'
          when f.completeness_pct < ${COMPLETE_FROM_PCT} then 'partial'
          when (f.hour, f.role) in (select hour, measurement_role from others) then 'corrected'
          else 'complete' end,
        case when f.has_value then f.completeness_pct else 0 end, f.role_set,
        ${new Date(now)}::timestamptz
      from fact f
      on conflict (tenant_id, facility_id, hour, source, measurement_role) do update set
        ${sql.join(KWH_COLUMNS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))},
        data_quality = case when excluded.data_quality in ('suspect', 'partial') then excluded.data_quality
          else 'corrected' end,
        completeness_pct = excluded.completeness_pct, role_set = excluded.role_set,
        computed_at = excluded.computed_at
      where (${sql.join(KWH_COLUMNS.map((column) => sql.ref(`hourly_energy.${column}`)))},
        hourly_energy.completeness_pct) is distinct from (${excluded}, excluded.completeness_pct)
      returning hour, num_nonnulls(${kwh}) > 0 as has_value)
    select (select count(*) from written) as written, (
      select array_agg(distinct extract(epoch from hour)::bigint) from (
        select hour from gone union all select hour from written where not has_value) as lost) as lost`.execute(
    db,
  )
  const [row] = rows
  return {
    rowsWritten: Number(row?.written ?? 0),
    clearedHours: (row?.lost ?? []).map((at) => Number(at) * 1000),
  }
}
