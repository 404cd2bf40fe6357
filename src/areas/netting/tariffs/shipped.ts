import { readFile } from 'node:fs/promises'
import { textOf } from '../../../kernel/messages.ts'
import { inSystemTx } from '../../../platform/db/tenant.ts'
import { packageFile } from '../../../platform/files/package-file.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { importPrices, readImport } from './import.ts'
import { decodedPeriod } from './service.ts'
import * as tariffs from './store.ts'

const FOLDER = 'seed/tariffs/'

interface ShippedSet {
  readonly id: string
  readonly billing_period: string
  readonly name: string
  readonly source_note: string
  readonly file: string
}

const readShipped = async (name: string): Promise<Buffer> => readFile(packageFile(FOLDER + name))

/**
 * Runs at the start of a service: creates the price sets of the package as drafts, each under its fixed id. A set with
 * such an id stays as it is, whatever was changed in it. Several processes may run it at the same time.
 */
export async function ensureShippedTariffs({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const { sets }: { readonly sets: readonly ShippedSet[] } = JSON.parse(
    (await readShipped('sets.json')).toString('utf8'),
  )
  for (const { file, id, name, source_note, billing_period } of sets) {
    const now = clock.now()
    await inSystemTx(database.kysely, async (tx) => {
      const isNew = await tariffs.insertShippedSet(tx, {
        id,
        name,
        source_note,
        billing_period: decodedPeriod(billing_period),
        created_by: null,
        created_at: new Date(now),
      })
      if (!isNew) return
      const bytes = await readShipped(file)
      const read = await readImport({ name: file, contentType: 'text/csv', bytes })
      const { errors } = await importPrices(tx, { setId: id, read, now })
      if (errors[0]) throw new Error(`${file}, row ${errors[0].row}: ${textOf(errors[0].content)}`)
    })
  }
}
