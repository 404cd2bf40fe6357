import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { reevaluateBlockedByTariff } from '../areas/netting/index.ts'
import {
  importFile,
  RowsRefused,
  readImport,
  TARIFF_IMPORT_BYTES_MAX,
} from '../areas/netting/tariffs/index.ts'
import { AppError } from '../kernel/errors.ts'
import { textOf } from '../kernel/messages.ts'
import { inSystemTx } from '../platform/db/tenant.ts'
import { type Command, optionalText } from './command.ts'
import { withDeps } from './database.ts'

const ROUTE = '/api/v1/admin/regulated-tariffs/price-sets'

/** Undoes the transaction of a dry run. */
class RolledBack extends Error {}

async function readPrices(path: string) {
  const name = basename(path)
  const { size } = await stat(path)
  if (size > TARIFF_IMPORT_BYTES_MAX)
    throw new Error(`${name} is larger than ${TARIFF_IMPORT_BYTES_MAX / 1024 / 1024} MiB`)
  return readImport({ name, contentType: '', bytes: await readFile(path) })
}

export const tariffsImport: Command = {
  options: { name: { type: 'string' }, approve: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  positionals: 1,
  async run(invocation) {
    const { options, positionals, io } = invocation
    const [path = ''] = positionals
    const name = optionalText(invocation, 'name') ?? basename(path, extname(path))
    const [approve, isDryRun] = [options['approve'] === true, options['dry-run'] === true]
    try {
      const read = await readPrices(path)
      return await withDeps(invocation, async (deps) => {
        const act = { userId: null, now: io.now() }
        const write = inSystemTx(deps.database.kysely, async (tx) => {
          const { id, billingPeriod, imported, isNew } = await importFile(tx, { name, read, act, approve })
          const prices = `${imported} prices of ${billingPeriod.slice(0, 7)}`
          if (isDryRun) {
            io.out(`${prices} can be imported. Dry run: nothing was written.`)
            throw new RolledBack()
          }
          return [
            `Imported ${prices} into the ${isNew ? 'new ' : ''}price set ${name} (${id}).`,
            approve
              ? 'It is approved.'
              : `It is a draft. A superuser approves it: POST ${ROUTE}/${id}/approve`,
          ]
        })
        const lines = await write.catch((error: unknown) => {
          if (error instanceof RolledBack) return []
          throw error
        })
        for (const line of lines) io.out(line)
        if (approve && !isDryRun) await reevaluateBlockedByTariff(deps)
        return 0
      })
    } catch (error) {
      if (error instanceof RowsRefused)
        for (const { row, content } of error.errors) io.err(`row ${row}: ${textOf(content)}`)
      if (!(error instanceof AppError)) throw error
      throw new Error(`${error.message} (${error.code})`, { cause: error })
    }
  },
}
