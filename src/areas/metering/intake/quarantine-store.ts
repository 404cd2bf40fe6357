import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { at, byteAt, floatAt } from '../../../kernel/checked.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { DB } from '../../../platform/db/types.ts'
import {
  type Sample,
  type SampleValues,
  SET_ASIDE_REASONS,
  type SetAsideReason,
} from '../intake-contract/index.ts'
import type { SampleRef } from './batch.ts'
import { SET_ASIDE } from './block.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'measurement_set_aside.sample': SampleValues
  }
}

const STORE_QUARANTINED = `
  insert into measurement_set_aside (tenant_id, device_id, device_key, ts, reason, sample, received_at, digest)
  select tenant_id, device_id, device_key, to_timestamp(at / 1000), reason, sample, to_timestamp($8::float8 / 1000), digest
  from unnest($1::int[], $2::uuid[], $3::int[], $4::float8[], $5::text[], $6::jsonb[], $7::bytea[])
    as aside (tenant_id, device_id, device_key, at, reason, sample, digest)
  order by tenant_id, device_key, digest
  on conflict do nothing`

interface Aside {
  readonly tenantId: number
  readonly deviceId: string
  readonly deviceKey: number
  readonly at: number
  readonly reason: SetAsideReason
  readonly values: SampleValues
}

const asideOf = ({ block, index }: SampleRef): Aside => ({
  tenantId: block.tenantId,
  deviceId: block.deviceIdOf(index),
  deviceKey: block.keyOf(index),
  at: floatAt(block.at, index),
  reason: at(SET_ASIDE_REASONS, byteAt(block.status, index) - SET_ASIDE),
  values: block.valuesOf(index),
})

/** A sample that is sent again for the same reason is the same row. */
function digestOf({ at, values, reason }: Aside): Buffer {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([at, reason, sorted]))
    .digest()
}

/** Stores quarantined samples; an already quarantined sample is not changed. */
export async function storeQuarantined(
  client: pg.ClientBase,
  samples: readonly SampleRef[],
  now: number,
): Promise<void> {
  const aside = samples.map(asideOf)
  await client.query(STORE_QUARANTINED, [
    aside.map(({ tenantId }) => tenantId),
    aside.map(({ deviceId }) => deviceId),
    aside.map(({ deviceKey }) => deviceKey),
    aside.map(({ at }) => at),
    aside.map(({ reason }) => reason),
    aside.map(({ values }) => toJson<JsonColumns['measurement_set_aside.sample']>(values)),
    aside.map(digestOf),
    now,
  ])
}

export interface KeptSample extends Sample {
  readonly tenantId: number
  readonly id: string
}

/**
 * Returns the samples of one tenant that were quarantined because their month was sealed, in order of
 * arrival.
 */
export async function nextSealed(db: Kysely<DB>, { from, to }: Range, limit: number): Promise<KeptSample[]> {
  const { rows } = await sql<{
    tenant_id: number
    id: string
    device_id: string
    ts: Date
    sample: JsonColumns['measurement_set_aside.sample']
  }>`
    with kept as (
      select s.* from measurement_set_aside s
      join device d on (d.tenant_id, d.id) = (s.tenant_id, s.device_id)
      where s.reason = 'sealed_month' and s.ts >= ${iso(from)} and s.ts < ${iso(to)}
    )
    select tenant_id, id, device_id, ts, sample from kept
    where tenant_id = (select min(tenant_id) from kept) order by received_at, id limit ${limit}`.execute(db)
  return rows.map(({ tenant_id, id, device_id, ts, sample }) => ({
    tenantId: tenant_id,
    id,
    deviceId: device_id,
    at: ts.getTime(),
    values: sample,
  }))
}

export async function forgetSetAside({ db, tenantId }: TenantDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('measurement_set_aside')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}
