import type { Database } from '../../../platform/db/pool.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { mergeNumberings, type Numbering } from './message-sequence.ts'
import { gapsOf, type Ranges } from './number-ranges.ts'

export interface GatewayKey {
  readonly tenantId: number
  readonly gatewayId: string
}
export interface GatewayNumbering extends GatewayKey {
  readonly numbering: Numbering
}

interface Row {
  received: unknown
  last_seq: string
  newest_sent_at: Date | null
  begun_at: Date
  restarts: number
  given_up: string
}

const columns = [
  'received',
  'last_seq',
  'newest_sent_at',
  'begun_at',
  'restarts',
  'given_up',
  'gap_since',
] as const

const numberingOf = (row: Row): Numbering => ({
  received: row.received as Ranges,
  lastSeq: Number(row.last_seq),
  newestSentAt: row.newest_sent_at?.getTime() ?? null,
  begunAt: row.begun_at.getTime(),
  restarts: row.restarts,
  givenUp: Number(row.given_up),
})

export async function readNumbering({ kysely }: Database, key: GatewayKey): Promise<Numbering | undefined> {
  const row = await findNumbering({ db: kysely, tenantId: key.tenantId }, key.gatewayId)
  return row && numberingOf(row)
}

export const findNumbering = (tenant: TenantDb, gatewayId: string) =>
  selectRows(tenant, 'gateway_sequence')
    .select(columns)
    .where('gateway_id', '=', gatewayId)
    .executeTakeFirst()

/**
 * Adds what this process knows to what is stored, which may come from others, and answers the whole. A gateway that
 * is gone is left out.
 */
export async function mergeNumbering(
  { kysely }: Database,
  { tenantId, gatewayId, numbering }: GatewayNumbering,
  now: Date,
): Promise<Numbering> {
  return kysely.transaction().execute(async (tx) => {
    const gateway = await tx
      .selectFrom('gateway')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', gatewayId)
      .forKeyShare()
      .executeTakeFirst()
    if (!gateway) return numbering
    // The first of several processes makes the row; the others wait for it here, and add to it.
    const made = await tx
      .insertInto('gateway_sequence')
      .values({ tenant_id: tenantId, gateway_id: gatewayId, ...valuesOf(numbering, null, now) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('gateway_id')
      .executeTakeFirst()
    if (made) return numbering
    const row = await tx
      .selectFrom('gateway_sequence')
      .select(columns)
      .where('tenant_id', '=', tenantId)
      .where('gateway_id', '=', gatewayId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const merged = mergeNumberings(numberingOf(row), numbering)
    await tx
      .updateTable('gateway_sequence')
      .set(valuesOf(merged, row.gap_since, now))
      .where('tenant_id', '=', tenantId)
      .where('gateway_id', '=', gatewayId)
      .execute()
    return merged
  })
}

const valuesOf = (numbering: Numbering, gapSince: Date | null, now: Date) => ({
  received: JSON.stringify(numbering.received),
  last_seq: numbering.lastSeq,
  newest_sent_at: numbering.newestSentAt === null ? null : new Date(numbering.newestSentAt),
  begun_at: new Date(numbering.begunAt),
  restarts: numbering.restarts,
  given_up: numbering.givenUp,
  gap_since: gapsOf(numbering.received).length > 0 ? (gapSince ?? now) : null,
  updated_at: now,
})

/** Gateways of all tenants whose gap has been open since before `before`. */
export async function countOpenGaps({ kysely }: Database, before: Date): Promise<number> {
  const row = await kysely
    .selectFrom('gateway_sequence')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('gap_since', '<', before)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
