import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inSystemTx, systemDb } from '../../../platform/db/tenant.ts'
import { tenantFolder } from '../../../platform/files/data-folder.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { deleteOutboxMails } from '../../../platform/mail/outbox.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { findAddressesOf } from '../../access/users/index.ts'
import { deleteRetainedOf } from '../../equipment/gateway-link/index.ts'
import { tryShareStorage } from '../../metering/storage/index.ts'
import { DELETION_SETTLE_MS } from './limits.ts'
import { type DeletableTable, deleteRowsOf, hasRows, readTenantTables, withRights } from './rows-store.ts'
import { deletionSequence } from './sequence.ts'
import * as store from './store.ts'

type DeletionDeps = Pick<Deps, 'config' | 'clock' | 'database' | 'log'>

/**
 * Deletes the rows and files of tenants whose deletion was requested (ADR 0088).
 *
 * Purpose: no row of the tenant remains, no row of another tenant is touched, and a process that is killed loses
 * only the work of one batch.
 *
 * A pass deletes from every table with a column tenant_id, tables that refer to others first, in batches of one
 * transaction each, as the role that owns the tables. A batch counts its rows in the transaction that deletes them, so
 * the counts are exact. Nothing else is remembered: a pass that is repeated finds what is left. Each batch locks the
 * record of the deletion, so of two processes only one deletes at a time, and none after the end.
 *
 * The tenant itself is deleted by a transaction in which no table had a row any more, DELETION_SETTLE_MS after
 * the start at the earliest: connections and jobs that still worked for the tenant have ended by then.
 */
export async function deleteTenants(
  deps: DeletionDeps,
  { signal, partFailed }: Pick<JobContext, 'signal' | 'partFailed'>,
): Promise<void> {
  for (const deletion of await store.listOpen(systemDb(deps.database.kysely))) {
    try {
      await continueDeletion(deps, deletion, signal)
    } catch (error) {
      if (signal.aborted) throw error
      partFailed()
      deps.log.error(
        { err: error, tenantId: deletion.tenantKey },
        'the deletion of a tenant failed and is repeated',
      )
    }
  }
}

async function continueDeletion(
  deps: DeletionDeps,
  deletion: store.OpenDeletion,
  signal: AbortSignal,
): Promise<void> {
  const { clock, database, log } = deps
  const { kysely } = database.owner
  const sequence = deletionSequence(await readTenantTables(systemDb(kysely)))
  const startedAt = await inSystemTx(kysely, (tx) =>
    store.start(tx, deletion.id, { at: new Date(clock.now()), tables: sequence.length }),
  )
  await deleteFiles(deps, deletion)
  await deleteRetainedOf(database, deletion.tenantUid)
  for (const [index, table] of sequence.entries()) {
    for (const part of table.parts) {
      let rows: number
      do {
        signal.throwIfAborted()
        rows = await deleteBatch(deps, deletion, { table, part })
      } while (rows > 0)
    }
    await inSystemTx(kysely, (tx) => store.recordTableDone(tx, deletion.id, index + 1))
  }
  if (clock.now() - startedAt.getTime() < DELETION_SETTLE_MS) return
  if (await finish(deps, deletion, sequence))
    log.info({ tenantId: deletion.tenantKey }, 'a tenant was deleted')
}

/** Deletes the files of the tenant in the data folder of this process, and the mails to its users in the outbox. */
async function deleteFiles(
  { config, database }: DeletionDeps,
  { tenantKey }: store.OpenDeletion,
): Promise<void> {
  for (const name of ['exports', 'firmware', 'charger-files'] as const)
    await rm(join(tenantFolder(config, name), String(tenantKey)), { recursive: true, force: true })
  await deleteOutboxMails(tenantFolder(config, 'outbox'), (addresses) =>
    findAddressesOf({ db: database.kysely, tenantId: tenantKey }, addresses),
  )
}

interface Part {
  readonly table: DeletableTable
  readonly part: string
}

/** Deletes some rows in one transaction. Returns their number; 0 when there are none, or the deletion has ended. */
const deleteBatch = (
  { clock, database }: DeletionDeps,
  { id, tenantKey }: store.OpenDeletion,
  { table, part }: Part,
): Promise<number> =>
  inSystemTx(database.owner.kysely, async (tx) => {
    if (!(await store.lockOpen(tx, id))) return 0
    await shareStorage(tx, table)
    const rows = await withRights(tx, table, () => deleteRowsOf(tx, table, { part, tenantKey }))
    if (rows > 0) await store.recordRows(tx, id, { table: table.name, rows, at: new Date(clock.now()) })
    return rows
  })

/** The compaction of a sealed month copies its rows: what is deleted meanwhile would return with the copy. */
async function shareStorage(
  tx: Parameters<typeof tryShareStorage>[0],
  { name, parts }: DeletableTable,
): Promise<void> {
  if (!parts.includes(name) && !(await tryShareStorage(tx)))
    throw new Error('months are being sealed; the deletion waits for the next slot')
}

/** Deletes the tenant if no table has a row of it. False when rows were found, which the next slot deletes. */
const finish = (
  { clock, database }: DeletionDeps,
  deletion: store.OpenDeletion,
  sequence: readonly DeletableTable[],
): Promise<boolean> =>
  inSystemTx(database.owner.kysely, async (tx) => {
    if (!(await store.lockOpen(tx, deletion.id))) return false
    // Rows that refer to the tenant cannot be added until the end of the transaction.
    await store.lockTenant(tx, deletion.tenantUid)
    for (const table of sequence)
      for (const part of table.parts) if (await hasRows(tx, part, deletion.tenantKey)) return false
    const rights = {
      deleteRights: [],
      updateRights: sequence.filter(({ mayUpdate }) => !mayUpdate).map(({ name }) => name),
    }
    await withRights(tx, rights, () => store.finish(tx, deletion, new Date(clock.now())))
    return true
  })
