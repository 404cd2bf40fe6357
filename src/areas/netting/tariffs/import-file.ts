import { AppError, conflict, type RowFault } from '../../../kernel/errors.ts'
import type { SystemTx } from '../../../platform/db/tenant.ts'
import { importPrices } from './import.ts'
import type { ReadPrices } from './import-rows.ts'
import { TARIFF_TEXTS } from './messages.ts'
import { type Actor, approveSet, createSet, decodedPeriod } from './service.ts'
import * as tariffs from './store.ts'

/** Errors of rows: nothing is written. */
export class RowsRefused extends Error {
  readonly errors: readonly RowFault[]
  readonly count: number
  constructor(errors: readonly RowFault[], count: number) {
    super(`${count} errors in the rows: nothing was written`)
    this.errors = errors
    this.count = count
  }
}

export interface FileImport {
  /** Name of the set. */
  readonly name: string
  readonly read: ReadPrices
  readonly act: Actor
  readonly approve: boolean
}

/**
 * Imports a file without naming a set: into the draft of the month of its rows that has the given name, else into a
 * draft of that month without name and prices, else into a new draft. All rows, or none. Throws RowsRefused, and 409
 * where a set of this name is approved already.
 */
export async function importFile(tx: SystemTx, { name, read, act, approve }: FileImport) {
  if (read.errorCount > 0) throw new RowsRefused(read.errors, read.errorCount)
  const first = read.prices[0]
  if (!first) throw new Error('the file has no prices')
  const billingPeriod = decodedPeriod(first.price.billing_period)
  const known = await tariffs.lockSetsFor(tx, { billingPeriod, name })
  if (known.some((set) => set.name === name && set.approval_status === 'approved')) {
    const parameters = { name, set_period: billingPeriod }
    throw conflict('TARIFF_ALREADY_APPROVED', TARIFF_TEXTS.TARIFF_NAME_APPROVED(parameters))
  }
  const draft = known.find((set) => set.approval_status === 'draft')
  const set = draft ?? (await createSet(tx, { billing_period: billingPeriod, name }, act))
  if (set.name === null) await tariffs.updateSet(tx, set.id, { name })
  const { imported, errors, errorCount } = await importRows(tx, set.id, { read, now: act.now })
  if (errorCount > 0) throw new RowsRefused(errors, errorCount)
  if (approve) await approveSet(tx, set.id, act)
  return { id: set.id, billingPeriod, isNew: draft === undefined, imported }
}

/** An error about rows of several months becomes one of the rows. */
async function importRows(
  tx: SystemTx,
  setId: string,
  rows: { readonly read: ReadPrices; readonly now: number },
) {
  try {
    return await importPrices(tx, { setId, ...rows })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'TARIFF_PERIOD_MISMATCH') throw error
    throw new RowsRefused(error.rowFaults ?? [], error.extra['error_count'] as number)
  }
}
