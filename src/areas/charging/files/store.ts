import { sql } from 'kysely'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, isOfActiveTenant, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { CHARGER_FILE_NAME_MAX_LENGTH } from '../limits.ts'
import type { ChargerFileQuery, FileKind, FileState } from './schema.ts'

const columns = [
  ...(['id', 'charger_id', 'command_id', 'file_name', 'sha256'] as const),
  sql<FileKind>`kind`.as('kind'),
  sql<FileState>`state`.as('state'),
  sql<number | null>`size_bytes::float8`.as('size_bytes'),
  ...(['created_at', 'received_at', 'expires_at'] as const),
] as const

const files = (tenant: TenantDb, chargerId: string) =>
  selectRows(tenant, 'charger_file').select(columns).where('charger_id', '=', chargerId)

export const list = (tenant: TenantDb, chargerId: string, query: ChargerFileQuery) => {
  let rows = files(tenant, chargerId)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  return readPage(rows.where(matchesSearch(query.search, ['file_name'])), query)
}

export const find = (tenant: TenantDb, chargerId: string, id: string) =>
  files(tenant, chargerId).where('id', '=', id).executeTakeFirst()

export interface NewFile {
  readonly charger_id: string
  readonly kind: FileKind
  readonly token_hash: Buffer
  readonly created_at: Date
  readonly expires_at: Date
}

export const insert = ({ db, tenantId }: TenantTx, file: NewFile) =>
  db
    .insertInto('charger_file')
    .values({ tenant_id: tenantId, ...file })
    .returning('id')
    .executeTakeFirstOrThrow()

export const UPLOAD_TOKENS = { table: 'charger_file', column: 'token_hash' } as const

/** The awaited file of a token. */
export const findWaiting = (tenant: TenantDb, tokenHash: Buffer, now: Date) =>
  selectRows(tenant, 'charger_file')
    .select(['id', 'charger_id'])
    .where('token_hash', '=', tokenHash)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .executeTakeFirst()

interface Received {
  readonly file_name?: string
  readonly size_bytes: number
  readonly sha256: string
  readonly received_at: Date
}

/** Marks a file as received; returns false when a concurrent upload with the same token was stored first. */
export async function markReceived(tx: TenantTx, id: string, received: Received): Promise<boolean> {
  const { numUpdatedRows } = await updateRows(tx, 'charger_file')
    .set({ state: 'received', ...received })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function setCommand(tx: TenantTx, id: string, commandId: string): Promise<void> {
  await updateRows(tx, 'charger_file').set({ command_id: commandId }).where('id', '=', id).execute()
}

/** Whether a file of that kind is awaited. */
export async function isWaiting(
  tenant: TenantDb,
  chargerId: string,
  kind: FileKind,
  now: Date,
): Promise<boolean> {
  const row = await selectRows(tenant, 'charger_file')
    .select('id')
    .where('charger_id', '=', chargerId)
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** The command with that number, or the newest one, that requested a file and was sent. */
export async function findRequest(
  tenant: TenantDb,
  chargerId: string,
  number: number | undefined,
): Promise<{ readonly id: string } | undefined> {
  let commands = selectRows(tenant, 'charger_command')
    .select('id')
    .where('charger_id', '=', chargerId)
    .where('action', 'in', ['get_diagnostics', 'get_security_log'])
    .where('sent_at', 'is not', null)
  if (number !== undefined) commands = commands.where('seq', '=', String(number))
  return commands.orderBy('seq', 'desc').limit(1).executeTakeFirst()
}

export async function nameFile(tx: TenantTx, commandId: string, name: string): Promise<void> {
  await updateRows(tx, 'charger_file')
    .set({ file_name: name.slice(0, CHARGER_FILE_NAME_MAX_LENGTH) })
    .where('command_id', '=', commandId)
    .where('file_name', 'is', null)
    .execute()
}

/** Marks the file of a command as failed: the station cannot send it. */
export async function markFailed(tx: TenantTx, chargerId: string, commandId: string): Promise<void> {
  await updateRows(tx, 'charger_file')
    .set({ state: 'failed' })
    .where('charger_id', '=', chargerId)
    .where('command_id', '=', commandId)
    .where('state', '=', 'waiting')
    .execute()
}

/** Deletes the records of all but the newest files of a charger; returns their ids. */
export async function deleteAllBut(tx: TenantTx, chargerId: string, kept: number): Promise<string[]> {
  const rows = await deleteRows(tx, 'charger_file')
    .where('charger_id', '=', chargerId)
    .where('state', '<>', 'waiting')
    .where(
      'id',
      'in',
      selectRows(tx, 'charger_file')
        .select('id')
        .where('charger_id', '=', chargerId)
        .where('state', '<>', 'waiting')
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(kept),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Expires the files that were not uploaded in time. */
export async function expire({ db }: SystemDb, now: Date): Promise<void> {
  await db
    .updateTable('charger_file')
    .set({ state: sql.lit('expired') })
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
    .where(isOfActiveTenant('charger_file.tenant_id'))
    .execute()
}
