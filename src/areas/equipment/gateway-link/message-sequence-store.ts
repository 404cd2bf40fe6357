import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { Database } from '../../../platform/db/pool.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { type MessageSequence, mergeSequences } from './message-sequence.ts'
import { gapsOf, type Ranges } from './number-ranges.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'gateway_sequence.received': Ranges
  }
}

export interface GatewayKey {
  readonly tenantId: number
  readonly gatewayId: string
}
export interface GatewaySequence extends GatewayKey {
  readonly sequence: MessageSequence
}

interface Row {
  received: JsonColumns['gateway_sequence.received']
  last_seq: string
  newest_sent_at: Date | null
  started_at: Date
  restarts: number
  given_up: string
}

const columns = [
  'received',
  'last_seq',
  'newest_sent_at',
  'started_at',
  'restarts',
  'given_up',
  'gap_since',
] as const

const toSequence = (row: Row): MessageSequence => ({
  received: row.received,
  lastSeq: Number(row.last_seq),
  newestSentAt: row.newest_sent_at?.getTime() ?? null,
  startedAt: row.started_at.getTime(),
  restarts: row.restarts,
  givenUp: Number(row.given_up),
})

export async function readSequence(
  { kysely }: Database,
  key: GatewayKey,
): Promise<MessageSequence | undefined> {
  const row = await findSequenceRow({ db: kysely, tenantId: key.tenantId }, key.gatewayId)
  return row && toSequence(row)
}

export const findSequenceRow = (tenant: TenantDb, gatewayId: string) =>
  selectRows(tenant, 'gateway_sequence')
    .select(columns)
    .where('gateway_id', '=', gatewayId)
    .executeTakeFirst()

/**
 * Merges the sequence of this process into the stored one, under a row lock, and returns the result. Does
 * nothing for a deleted gateway.
 */
export async function mergeStoredSequence(
  { kysely }: Database,
  { tenantId, gatewayId, sequence }: GatewaySequence,
  now: Date,
): Promise<MessageSequence> {
  return kysely.transaction().execute(async (tx) => {
    const gateway = await tx
      .selectFrom('gateway')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', gatewayId)
      .forKeyShare()
      .executeTakeFirst()
    if (!gateway) return sequence
    // The first process inserts the row; concurrent ones wait here and then merge.
    const inserted = await tx
      .insertInto('gateway_sequence')
      .values({ tenant_id: tenantId, gateway_id: gatewayId, ...valuesOf(sequence, null, now) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('gateway_id')
      .executeTakeFirst()
    if (inserted) return sequence
    const row = await tx
      .selectFrom('gateway_sequence')
      .select(columns)
      .where('tenant_id', '=', tenantId)
      .where('gateway_id', '=', gatewayId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const merged = mergeSequences(toSequence(row), sequence)
    await tx
      .updateTable('gateway_sequence')
      .set(valuesOf(merged, row.gap_since, now))
      .where('tenant_id', '=', tenantId)
      .where('gateway_id', '=', gatewayId)
      .execute()
    return merged
  })
}

const valuesOf = (sequence: MessageSequence, gapSince: Date | null, now: Date) => ({
  received: toJson(sequence.received),
  last_seq: sequence.lastSeq,
  newest_sent_at: sequence.newestSentAt === null ? null : new Date(sequence.newestSentAt),
  started_at: new Date(sequence.startedAt),
  restarts: sequence.restarts,
  given_up: sequence.givenUp,
  gap_since: gapsOf(sequence.received).length > 0 ? (gapSince ?? now) : null,
  updated_at: now,
})

/** Number of gateways, of all tenants, with a gap that opened before `before`. */
export async function countOpenGaps({ kysely }: Database, before: Date): Promise<number> {
  const row = await kysely
    .selectFrom('gateway_sequence')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('gap_since', '<', before)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
