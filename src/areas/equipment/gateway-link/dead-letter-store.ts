import { sql } from 'kysely'
import { readPage } from '../../../platform/db/list.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { systemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import { tenantsWithRows } from '../../../platform/db/tenant-lists.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { Unused } from './mqtt-intake.ts'
import type { DeadLetterFilter, DeadLetterQuery } from './schema.ts'

/** A message that could not be stored, completely or in part. */
export interface NewDeadLetter {
  readonly tenantId: number
  /** Null for a gateway id that the tenant does not have. */
  readonly gatewayId: string | null
  /** Relative to the gateway root. */
  readonly topic: string
  readonly payload: Buffer
  readonly reason: string
  readonly detail: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly unknownDevices?: readonly string[] | undefined
}

const INSERT = `
  insert into dead_letter
    (tenant_id, gateway_id, topic, payload, reason, detail, received_at, unknown_devices)
  select tenant_id, gateway_id, topic, payload, reason, detail, to_timestamp(at / 1000),
    array(select jsonb_array_elements_text(names))
  from unnest($1::int[], $2::uuid[], $3::text[], $4::bytea[], $5::text[], $6::text[], $7::float8[], $8::jsonb[])
    as letter (tenant_id, gateway_id, topic, payload, reason, detail, at, names)`

/** Inserts all of them in one statement. */
export async function insertDeadLetters(
  { pool }: Database,
  letters: readonly NewDeadLetter[],
): Promise<void> {
  await pool.query(INSERT, [
    letters.map(({ tenantId }) => tenantId),
    letters.map(({ gatewayId }) => gatewayId),
    letters.map(({ topic }) => topic),
    letters.map(({ payload }) => payload),
    letters.map(({ reason }) => reason),
    letters.map(({ detail }) => detail),
    letters.map(({ receivedAt }) => receivedAt),
    letters.map(({ unknownDevices = [] }) => JSON.stringify(unknownDevices)),
  ])
}

export interface DeadLetterLimits {
  readonly count: number
  readonly bytes: number
  /** Older dead letters are removed. */
  readonly since: Date
}

/**
 * Removes the oldest dead letters of a tenant beyond the limits and adds their number to the tally. Returns
 * that number.
 */
export async function trimDeadLetters({ db, tenantId }: TenantTx, { count, bytes, since }: DeadLetterLimits) {
  const { rows } = await sql<{ id: string }>`
    delete from dead_letter
    where tenant_id = ${tenantId} and id in (
      select id from (
        select id, received_at, row_number() over newest as rank,
          sum(octet_length(payload)) over newest as bytes
        from dead_letter where tenant_id = ${tenantId}
        window newest as (order by received_at desc, id)) as letter
      where rank > ${count} or bytes > ${bytes} or received_at < ${since})
    returning id`.execute(db)
  if (rows.length > 0) {
    await sql`
      insert into dead_letter_overflow (tenant_id, dropped, dropped_at)
      values (${tenantId}, ${rows.length}, clock_timestamp())
      on conflict (tenant_id) do update
        set dropped = dead_letter_overflow.dropped + excluded.dropped, dropped_at = excluded.dropped_at`.execute(
      db,
    )
  }
  return rows.length
}

export const listTenantsWithDeadLetters = ({ kysely }: Database): Promise<number[]> =>
  tenantsWithRows(systemDb(kysely), 'dead_letter')

const selectDeadLetters = (tenant: TenantDb, { gateway_id, reason }: DeadLetterFilter) => {
  let rows = selectRows(tenant, 'dead_letter')
  if (gateway_id !== undefined) rows = rows.where('gateway_id', '=', gateway_id)
  if (reason !== undefined) rows = rows.where('reason', '=', reason)
  return rows
}

const columns = [
  'id',
  'gateway_id',
  'topic',
  'reason',
  'detail',
  'received_at',
  'attempts',
  'retried_at',
] as const
const payloadBytes = sql<number>`octet_length(payload)`.as('payload_bytes')

export function listDeadLetters(tenant: TenantDb, query: DeadLetterQuery) {
  return readPage(selectDeadLetters(tenant, query).select([...columns, payloadBytes]), query)
}

export const countDroppedDeadLetters = async (tenant: TenantDb): Promise<number> => {
  const row = await selectRows(tenant, 'dead_letter_overflow').select('dropped').executeTakeFirst()
  return Number(row?.dropped ?? 0)
}

export const findDeadLetter = (tenant: TenantDb, id: string) =>
  selectDeadLetters(tenant, {})
    .select([...columns, payloadBytes, 'payload'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Oldest first, which is the order in which they were sent. */
export const listDeadLettersToRetry = (
  tenant: TenantDb,
  filter: DeadLetterFilter,
  max: number,
  before: Date,
) =>
  selectDeadLetters(tenant, filter)
    .select([...columns, 'payload'])
    .where((eb) => eb.or([eb('retried_at', 'is', null), eb('retried_at', '<', before)]))
    .orderBy('received_at')
    .orderBy('id')
    .limit(max)
    .execute()

export const removeDeadLetter = ({ db, tenantId }: TenantDb, id: string) =>
  db
    .deleteFrom('dead_letter')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

export const recordFailedRetry = (
  { db, tenantId }: TenantDb,
  id: string,
  { reason, detail, unknownDevices = [], now }: Unused & { readonly now: Date },
) =>
  db
    .updateTable('dead_letter')
    .set((eb) => ({
      reason,
      detail,
      unknown_devices: [...unknownDevices],
      retried_at: now,
      attempts: eb('attempts', '+', 1),
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
