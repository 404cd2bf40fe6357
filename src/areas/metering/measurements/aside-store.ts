import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type SampleValues, SET_ASIDE_REASONS, type SetAsideReason } from '../../../platform/ingest.ts'
import type { Place } from './batch.ts'
import { SET_ASIDE } from './block.ts'

const KEEP_ASIDE = `
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

const asideOf = ({ block, index }: Place): Aside => ({
  tenantId: block.tenantId,
  deviceId: block.deviceIds[block.deviceOf[index] ?? 0] ?? '',
  deviceKey: block.keyOf(index),
  at: block.at[index] ?? 0,
  reason: SET_ASIDE_REASONS[(block.status[index] ?? 0) - SET_ASIDE] ?? 'conflicts_with_stored',
  values: block.valuesOf(index),
})

/** The same sample sent again for the same reason is the same row. */
function digestOf({ at, values, reason }: Aside): Buffer {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([at, reason, sorted]))
    .digest()
}

/** Keeps what may not be taken as data; what is kept already stays as it is. */
export async function keepAside(client: pg.ClientBase, places: readonly Place[], now: number): Promise<void> {
  if (places.length === 0) return
  const aside = places.map(asideOf)
  await client.query(KEEP_ASIDE, [
    aside.map(({ tenantId }) => tenantId),
    aside.map(({ deviceId }) => deviceId),
    aside.map(({ deviceKey }) => deviceKey),
    aside.map(({ at }) => at),
    aside.map(({ reason }) => reason),
    aside.map(({ values }) => JSON.stringify(values)),
    aside.map(digestOf),
    now,
  ])
}
