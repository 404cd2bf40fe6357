import { sql } from 'kysely'
import { conflict } from '../../../kernel/errors.ts'
import { LOWER_CASE_UUID } from '../../../kernel/uuid.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { COLLECTOR_TEXTS } from './messages.ts'
import type { CollectorMappingQuery } from './schema.ts'
import type { Mapping, MetricRule } from './translate.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'collector_mapping.metrics': MetricRule[]
  }
}

const columns = [
  'id',
  'name',
  'device_labels',
  'metrics',
  'ignore_unknown',
  'created_at',
  'updated_at',
] as const
const constraints = {
  collector_mapping_name_key: () =>
    conflict('DUPLICATE_ENTRY', COLLECTOR_TEXTS.COLLECTOR_MAPPING_NAME_EXISTS()),
}

export const listMappings = (tenant: TenantDb, query: CollectorMappingQuery) =>
  readPage(
    selectRows(tenant, 'collector_mapping')
      .select(columns)
      .where(matchesSearch(query.search, ['name'])),
    query,
  )

export const findMapping = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'collector_mapping').select(columns).where('id', '=', id).executeTakeFirst()

export const findMappingByName = (tenant: TenantDb, name: string): Promise<Mapping | undefined> =>
  selectRows(tenant, 'collector_mapping')
    .select(['device_labels', 'metrics', 'ignore_unknown'])
    .where('name', '=', name)
    .executeTakeFirst()

/** Serializes the creation of mappings of a tenant, so that their limit is enforced. */
export async function lockAndCount(tx: TenantTx): Promise<number> {
  await lockResource(tx, `collector mappings of tenant ${tx.tenantId}`)
  const { count } = await selectRows(tx, 'collector_mapping')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface MappingChange extends Partial<Mapping> {
  readonly name?: string
}

const toColumns = ({ device_labels, metrics, ...change }: MappingChange) => ({
  ...change,
  ...(device_labels && { device_labels: [...device_labels] }),
  ...(metrics && { metrics: toJson([...metrics]) }),
})

export const insertMapping = (tx: TenantTx, mapping: Required<MappingChange>, at: Date) =>
  refusing(
    constraints,
    tx.db
      .insertInto('collector_mapping')
      .values({
        tenant_id: tx.tenantId,
        name: mapping.name,
        device_labels: [...mapping.device_labels],
        metrics: toJson([...mapping.metrics]),
        ignore_unknown: mapping.ignore_unknown,
        created_at: at,
        updated_at: at,
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export const updateMapping = (tx: TenantTx, id: string, change: MappingChange, at: Date) =>
  refusing(
    constraints,
    updateRows(tx, 'collector_mapping')
      .set({ ...toColumns(change), updated_at: at })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst(),
  )

export const removeMapping = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'collector_mapping').where('id', '=', id).returning('id').executeTakeFirst()

const externalId = sql<string | null>`extra_metadata->>'external_id'`

/** The devices that have one of the texts as their id, external id or name. */
export const findDevicesByText = (tenant: TenantDb, texts: readonly string[]) =>
  selectRows(tenant, 'device')
    .select(['id', 'name', externalId.as('external_id')])
    .where((eb) =>
      eb.or([
        eb('id', '=', sql<string>`any(${texts.filter((text) => LOWER_CASE_UUID.test(text))}::uuid[])`),
        eb('name', '=', sql<string>`any(${texts}::text[])`),
        eb(externalId, '=', sql<string>`any(${texts}::text[])`),
      ]),
    )
    .execute()
