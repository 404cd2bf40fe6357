import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { Attempt } from '../shared/index.ts'
import type { CalibrationText, ForecastOutcome, Quantiles, ScoreText, SeriesKind } from './compute-work.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'hourly_forecast.error': Message
    'hourly_forecast_series.quantiles': Quantiles
    'hourly_forecast_series.calibration': CalibrationText
    'hourly_forecast_series.score': ScoreText
  }
}

export const lockForecasts = (tx: TenantTx) => lockResource(tx, `hourly forecasts ${tx.tenantId}`)

export async function countForecasts(tenant: TenantDb) {
  const { rows } = await sql<{ total: number; waiting: number }>`
    select count(*)::int as total, (count(*) filter (where state = 'waiting'))::int as waiting
    from hourly_forecast where tenant_id = ${tenant.tenantId}`.execute(tenant.db)
  return rows[0] ?? { total: 0, waiting: 0 }
}

/** Those of the facilities that exist. */
export async function existingFacilities(
  tenant: TenantDb,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await selectRows(tenant, 'facility')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

interface NewForecast {
  readonly from: number
  readonly hours: number
  readonly facilityIds: readonly string[]
  readonly by: string
  readonly at: number
}

export async function insert(
  { db, tenantId }: TenantTx,
  { from, hours, facilityIds, by, at }: NewForecast,
): Promise<string> {
  const { id } = await db
    .insertInto('hourly_forecast')
    .values({
      ...{ tenant_id: tenantId, from_hour: new Date(from), hours, facilities_total: facilityIds.length },
      ...{ requested_by: by, created_at: new Date(at) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into hourly_forecast_facility (tenant_id, forecast_id, facility_id)
    select ${tenantId}::int, ${id}::uuid, unnest(${[...facilityIds]}::uuid[])`.execute(db)
  return id
}

/** The ids of the facilities, in their order. */
const facilityIds = (tenantId: number) => sql<
  string[]
>`array(select x.facility_id from hourly_forecast_facility x
  where x.tenant_id = ${tenantId} and x.forecast_id = f.id order by x.facility_id)`

const forecasts = (tenant: TenantDb) =>
  selectRows(tenant, 'hourly_forecast as f')
    .select(['f.id', 'f.from_hour', 'f.hours', 'f.state', 'f.facilities_total', 'f.facilities_done'])
    .select(['f.error', 'f.input_hash', 'f.requested_by', 'f.created_at', 'f.finished_at'])
    .select(facilityIds(tenant.tenantId).as('facility_ids'))

export const find = (tenant: TenantDb, id: string) =>
  forecasts(tenant).where('f.id', '=', id).executeTakeFirst()
export type ForecastRow = NonNullable<Awaited<ReturnType<typeof find>>>

interface ListQuery {
  readonly facility_id?: string | undefined
  readonly limit: number
  readonly offset: number
}

export function list(tenant: TenantDb, { facility_id, ...page }: ListQuery) {
  const query = forecasts(tenant).orderBy('f.created_at', 'desc').orderBy('f.id')
  if (facility_id === undefined) return readList(query, page)
  const isOf = sql<boolean>`exists (select 1 from hourly_forecast_facility x
    where x.tenant_id = ${tenant.tenantId} and x.forecast_id = f.id and x.facility_id = ${facility_id}::uuid)`
  return readList(query.where(isOf), page)
}

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'hourly_forecast').where('id', '=', id).returning('id').executeTakeFirst()

/** The update of a forecast that waits. */
const waiting = (tx: TenantTx, id: string) =>
  updateRows(tx, 'hourly_forecast').where('id', '=', id).where('state', '=', 'waiting')

export const cancel = (tx: TenantTx, id: string, at: number) =>
  waiting(tx, id)
    .set((eb) => ({ state: 'cancelled', finished_at: new Date(at), attempt: eb('attempt', '+', 1) }))
    .returning('id')
    .executeTakeFirst()

/** The series of a result with the names of their facilities, without their hours. */
export const listSeries = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'hourly_forecast_series as s')
    .innerJoin('facility as f', (join) =>
      join.onRef('f.tenant_id', '=', 's.tenant_id').onRef('f.id', '=', 's.facility_id'),
    )
    .select(['s.facility_id', 'f.name as facility_name', 's.kind', 's.history_from', 's.history_hours'])
    .select(['s.calibration', 's.score'])
    .where('s.forecast_id', '=', id)
    .orderBy('f.name')
    .orderBy('s.facility_id')
    .orderBy('s.kind')
    .execute()

export const findSeries = (
  tenant: TenantDb,
  id: string,
  { facilityId, kind }: { readonly facilityId: string; readonly kind: SeriesKind },
) =>
  selectRows(tenant, 'hourly_forecast_series')
    .select('quantiles')
    .where('forecast_id', '=', id)
    .where('facility_id', '=', facilityId)
    .where('kind', '=', kind)
    .executeTakeFirst()

/** The newest finished series of a kind of each facility that reaches beyond an instant. */
export async function latestSeries(
  { db, tenantId }: TenantDb,
  {
    facilityIds: ids,
    kind,
    beyond,
  }: {
    readonly facilityIds: readonly string[]
    readonly kind: SeriesKind
    readonly beyond: number
  },
) {
  const { rows } = await sql<{
    facility_id: string
    from_hour: Date
    created_at: Date
    quantiles: Quantiles
  }>`
    select distinct on (s.facility_id) s.facility_id, f.from_hour, f.created_at, s.quantiles
    from hourly_forecast_series s
    join hourly_forecast f on f.tenant_id = s.tenant_id and f.id = s.forecast_id
    where s.tenant_id = ${tenantId} and s.facility_id = any(${[...ids]}::uuid[]) and s.kind = ${kind}
      and f.state = 'done' and f.from_hour + make_interval(hours => f.hours) > ${new Date(beyond)}
    order by s.facility_id, f.created_at desc, f.id`.execute(db)
  return rows
}

/** The oldest forecast of a tenant that waits. */
export const oldestWaiting = (tenant: TenantDb) =>
  selectRows(tenant, 'hourly_forecast')
    .select('id')
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export async function begin(tx: TenantTx, id: string): Promise<Attempt | undefined> {
  const row = await waiting(tx, id)
    .set((eb) => ({ attempt: eb('attempt', '+', 1), facilities_done: 0 }))
    .returning('attempt')
    .executeTakeFirst()
  return row && { id, attempt: row.attempt }
}

const own = (tx: TenantTx, { id, attempt }: Attempt) => waiting(tx, id).where('attempt', '=', attempt)

export const progress = (tx: TenantTx, attempt: Attempt, done: number) =>
  own(tx, attempt).set({ facilities_done: done }).returning('id').executeTakeFirst()

export const fail = (
  tx: TenantTx,
  attempt: Attempt,
  { content, at }: { readonly content: Message; readonly at: number },
) =>
  own(tx, attempt)
    .set({ state: 'failed', error: toJson(content), finished_at: new Date(at) })
    .returning('id')
    .executeTakeFirst()

/** Stores the result. Undefined when the attempt may not write any more. */
export async function finish(
  tx: TenantTx,
  attempt: Attempt,
  { outcome, at }: { readonly outcome: ForecastOutcome; readonly at: number },
): Promise<{ readonly id: string } | undefined> {
  const done = await own(tx, attempt)
    .set((eb) => ({
      ...{ state: 'done', input_hash: outcome.inputHash, finished_at: new Date(at) },
      facilities_done: eb.ref('facilities_total'),
    }))
    .returning('id')
    .executeTakeFirst()
  if (!done) return undefined
  for (const one of outcome.series)
    await tx.db
      .insertInto('hourly_forecast_series')
      .values({
        ...{ tenant_id: tx.tenantId, forecast_id: attempt.id, facility_id: one.facilityId, kind: one.kind },
        ...{ history_from: new Date(one.historyFrom), history_hours: one.historyHours },
        quantiles: toJson<JsonColumns['hourly_forecast_series.quantiles']>(one.quantiles),
        calibration: toJson<JsonColumns['hourly_forecast_series.calibration']>(one.calibration),
        score: toJson<JsonColumns['hourly_forecast_series.score']>(one.score),
      })
      .execute()
  return done
}
