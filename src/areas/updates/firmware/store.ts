import { sql } from 'kysely'
import { conflict } from '../../../kernel/errors.ts'
import { changes } from '../../../platform/db/columns.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { equalsIgnoringCase, matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { FIRMWARE_TEXTS } from './messages.ts'
import type { FirmwareQuery, UpdateFirmware } from './schema.ts'
import type { FirmwareStatus } from './states.ts'

const columns = [
  ...(['id', 'version', 'device_model', 'file_name', 'size_bytes', 'sha256', 'signature'] as const),
  ...(['signing_certificate', 'certificate_signature'] as const),
  ...(['release_notes', 'created_by', 'created_at', 'released_at', 'deprecated_at'] as const),
  sql<FirmwareStatus>`status`.as('status'),
] as const
const writable = [
  ...(['version', 'device_model', 'release_notes', 'signature'] as const),
  ...(['signing_certificate', 'certificate_signature'] as const),
] as const

const constraints = {
  firmware_version_key: () => conflict('DUPLICATE_ENTRY', FIRMWARE_TEXTS.FIRMWARE_VERSION_EXISTS()),
}

export function list(tenant: TenantDb, query: FirmwareQuery) {
  let rows = selectRows(tenant, 'firmware_version').select(columns)
  if (query.device_model !== undefined)
    rows = rows.where(equalsIgnoringCase('device_model', query.device_model))
  if (query.version !== undefined) rows = rows.where(equalsIgnoringCase('version', query.version))
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  return readPage(rows.where(matchesSearch(query.search, ['version', 'device_model', 'file_name'])), query)
}

export const find = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'firmware_version').select(columns).where('id', '=', id).executeTakeFirst()
export type FirmwareRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const findVersion = (
  tenant: TenantDb,
  { deviceModel, version }: { readonly deviceModel: string; readonly version: string },
) =>
  selectRows(tenant, 'firmware_version')
    .select(columns)
    .where('device_model', '=', deviceModel)
    .where('version', '=', version)
    .executeTakeFirst()

export const lock = (tx: TenantTx, id: string) =>
  selectRows(tx, 'firmware_version').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

export async function count(tenant: TenantDb): Promise<number> {
  const { total } = await selectRows(tenant, 'firmware_version')
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export interface NewFirmware {
  readonly id: string
  readonly version: string
  readonly device_model: string
  readonly file_name: string
  readonly size_bytes: number
  readonly sha256: string
  readonly signature: string | null
  readonly signing_certificate: string | null
  readonly certificate_signature: string | null
  readonly release_notes: string | null
  readonly created_by: string
  readonly created_at: Date
}

export const insert = ({ db, tenantId }: TenantTx, row: NewFirmware) =>
  refusing(
    constraints,
    db
      .insertInto('firmware_version')
      .values({ tenant_id: tenantId, ...row })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export async function update(tx: TenantTx, id: string, body: UpdateFirmware): Promise<void> {
  const set = changes(body, writable)
  if (!set) return
  await refusing(constraints, updateRows(tx, 'firmware_version').set(set).where('id', '=', id).execute())
}

export const setStatus = (
  tx: TenantTx,
  { id, status, at }: { readonly id: string; readonly status: FirmwareStatus; readonly at: Date },
) =>
  updateRows(tx, 'firmware_version')
    .set({ status, ...(status === 'released' ? { released_at: at } : { deprecated_at: at }) })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** True when the tenant has a version of this id. */
export const exists = async (
  { db }: SystemDb,
  { tenantId, id }: { readonly tenantId: number; readonly id: string },
): Promise<boolean> =>
  (await db
    .selectFrom('firmware_version')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined
