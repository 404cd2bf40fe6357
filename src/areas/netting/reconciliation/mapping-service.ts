import { conflict, found, unprocessable } from '../../../kernel/errors.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { plain } from '../../../platform/tables/index.ts'
import type { Label } from '../shared/index.ts'
import { MAPPINGS_MAX } from './limits.ts'
import type { MappedLines } from './line-kinds.ts'
import type { MappedColumns } from './mapped-columns.ts'
import type { SaveMapping } from './mapping-schema.ts'
import * as store from './mapping-store.ts'
import { INVOICE_TEXTS } from './messages.ts'
import type { AppliedMapping } from './stored-check.ts'

interface By {
  readonly by: string
  readonly at: number
}

/** Creates a mapping. 409 beyond the limit, and for a supplier and layout that have one. */
export async function createMapping(tx: TenantTx, body: SaveMapping, { by, at }: By) {
  refuseRepeated(body)
  await store.lock(tx)
  if ((await store.count(tx)) >= MAPPINGS_MAX)
    throw conflict('STATE_CONFLICT', INVOICE_TEXTS.INVOICE_MAPPINGS_KEPT({ max: MAPPINGS_MAX }))
  return store.insert(tx, body, { key: plain(body.supplier), by, at })
}

export async function replaceMapping(tx: TenantTx, id: string, body: SaveMapping, { by, at }: By) {
  refuseRepeated(body)
  return found('invoice mapping', await store.replace(tx, id, body, { key: plain(body.supplier), by, at }))
}

/** A header or text that is mapped twice would have two meanings. */
function refuseRepeated({ columns, lines }: SaveMapping): void {
  const refuse = (field: 'columns' | 'lines', sources: readonly string[]) => {
    const seen = new Set<string>()
    for (const source of sources) {
      const key = plain(source)
      if (seen.has(key))
        throw unprocessable('BUSINESS_RULE_VIOLATION', INVOICE_TEXTS.INVOICE_MAPPING_REPEATED({ source }), {
          field,
        })
      seen.add(key)
    }
  }
  refuse(
    'columns',
    columns.map(({ source }) => source),
  )
  refuse(
    'lines',
    lines.map(({ text }) => text),
  )
}

/** The mapping of the first supplier that has one: that of the layout, else the latest one. */
export async function findMapping(
  tenant: TenantDb,
  suppliers: readonly string[],
  layout: string,
): Promise<AppliedMapping | null> {
  const keys = suppliers.map(plain).filter((key) => key !== '')
  if (keys.length === 0) return null
  const rows = await store.listOf(tenant, keys)
  for (const key of keys) {
    const own = rows.filter((row) => row.supplier_key === key)
    const exact = own.find((row) => row.layout === layout)
    const row = exact ?? own[0]
    if (!row) continue
    const { columns, lines, label } = row
    return {
      id: row.id,
      supplier: row.supplier,
      matchedBy: exact ? 'layout' : 'supplier',
      corrections: { columns, lines, label: label as Label | null },
    }
  }
  return null
}

export const columnsOf = (mapping: AppliedMapping | null): MappedColumns =>
  new Map((mapping?.corrections.columns ?? []).map(({ source, column }) => [plain(source), column]))
export const linesOf = (mapping: AppliedMapping | null): MappedLines =>
  new Map((mapping?.corrections.lines ?? []).map(({ text, kind }) => [plain(text), kind]))
