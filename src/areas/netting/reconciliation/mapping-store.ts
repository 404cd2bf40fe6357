import { conflict } from '../../../kernel/errors.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { SaveMapping } from './mapping-schema.ts'
import { INVOICE_TEXTS } from './messages.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'invoice_mapping.columns': SaveMapping['columns']
    'invoice_mapping.lines': SaveMapping['lines']
  }
}

const FIELDS = ['id', 'supplier', 'layout', 'columns', 'lines', 'label', 'updated_at', 'updated_by'] as const

const mappings = (tenant: TenantDb) => selectRows(tenant, 'invoice_mapping').select(FIELDS)

export const list = (
  tenant: TenantDb,
  {
    search,
    ...page
  }: { readonly search?: string | undefined; readonly limit: number; readonly offset: number },
) =>
  readList(
    mappings(tenant)
      .where(matchesSearch(search, ['supplier']))
      .orderBy('supplier')
      .orderBy('id'),
    page,
  )

export const find = (tenant: TenantDb, id: string) => mappings(tenant).where('id', '=', id).executeTakeFirst()

/** The mappings of suppliers, by their keys; the latest first. */
export const listOf = (tenant: TenantDb, supplierKeys: readonly string[]) =>
  mappings(tenant)
    .select('supplier_key')
    .where('supplier_key', 'in', [...supplierKeys])
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute()

export const lock = (tx: TenantTx) => lockResource(tx, `invoice mappings ${tx.tenantId}`)

export async function count(tenant: TenantDb): Promise<number> {
  const row = await selectRows(tenant, 'invoice_mapping')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

interface Own {
  /** Normalized supplier. */
  readonly key: string
  readonly by: string
  readonly at: number
}

const valuesOf = ({ supplier, layout, columns, lines, label = null }: SaveMapping, own: Own) => ({
  supplier,
  supplier_key: own.key,
  layout,
  columns: toJson<JsonColumns['invoice_mapping.columns']>(columns),
  lines: toJson<JsonColumns['invoice_mapping.lines']>(lines),
  label,
  updated_by: own.by,
  updated_at: new Date(own.at),
})

const taken = {
  invoice_mapping_supplier_key: () => conflict('STATE_CONFLICT', INVOICE_TEXTS.INVOICE_MAPPING_TAKEN()),
}

/** 409 for a supplier and layout that have a mapping. */
export const insert = ({ db, tenantId }: TenantTx, body: SaveMapping, own: Own) =>
  refusing(
    taken,
    db
      .insertInto('invoice_mapping')
      .values({ tenant_id: tenantId, ...valuesOf(body, own) })
      .returning(FIELDS)
      .executeTakeFirstOrThrow(),
  )

/** 409 as `insert`. */
export const replace = (tx: TenantTx, id: string, body: SaveMapping, own: Own) =>
  refusing(
    taken,
    updateRows(tx, 'invoice_mapping')
      .set(valuesOf(body, own))
      .where('id', '=', id)
      .returning(FIELDS)
      .executeTakeFirst(),
  )

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'invoice_mapping').where('id', '=', id).returning('id').executeTakeFirst()
