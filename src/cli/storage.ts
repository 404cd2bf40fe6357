import { takeUpSealed } from '../areas/metering/intake/index.ts'
import { listMonths, type MonthPartition, sealMonth, unsealMonth } from '../areas/metering/storage/index.ts'
import { type BillingPeriod, localDate, parsePeriod, periodRange } from '../kernel/time.ts'
import { systemDb } from '../platform/db/tenant.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { withDeps } from './database.ts'

const monthOf = (period: BillingPeriod): string => period.slice(0, 7)

function periodArgument({ positionals }: Invocation): BillingPeriod {
  const [text = ''] = positionals
  const period = /^\d{4}-\d{2}$/.test(text) ? parsePeriod(text) : undefined
  if (period === undefined) throw new UsageError(`"${text}" is not a month, such as 2025-05`)
  return period
}

function stateOf({ sealedAt, unsealedUntil, bytesAfter }: MonthPartition): string {
  if (unsealedUntil !== undefined) return `held open until ${localDate(unsealedUntil)}`
  if (sealedAt === undefined) return 'open'
  return `sealed on ${localDate(sealedAt)}${bytesAfter === undefined ? ', not yet compacted' : ''}`
}

function describe(month: MonthPartition): string {
  const { rows, bytesBefore, bytesAfter } = month
  const gain =
    rows === undefined || bytesBefore === undefined || bytesAfter === undefined
      ? ''
      : `, ${rows} rows compacted from ${bytesBefore} bytes to ${bytesAfter}`
  return `${monthOf(month.period)}  ${month.table.padEnd(13)}  ${String(month.bytes).padStart(13)} bytes  ${stateOf(month)}${gain}`
}

export const storageList: Command = {
  options: {},
  positionals: 0,
  run: (invocation) =>
    withDeps(invocation, async ({ database }) => {
      const months = await listMonths(systemDb(database.kysely))
      for (const month of months) invocation.io.out(describe(month))
      if (months.length === 0) invocation.io.out('There are no samples and no facts yet.')
      return 0
    }),
}

export const storageSeal: Command = {
  options: {},
  positionals: 1,
  run: (invocation) => {
    const period = periodArgument(invocation)
    return withDeps(invocation, async (deps) => {
      const isNew = await sealMonth(deps, period)
      invocation.io.out(`${monthOf(period)} ${isNew ? 'is sealed now.' : 'was sealed already.'}`)
      return 0
    })
  },
}

export const storageUnseal: Command = {
  options: {},
  positionals: 1,
  run: (invocation) => {
    const period = periodArgument(invocation)
    return withDeps(invocation, async (deps) => {
      const { wasSealed, until } = await unsealMonth(deps, period)
      const taken = await takeUpSealed(deps, periodRange(period))
      const lines = [
        `${monthOf(period)} is open; it is not sealed again before ${localDate(until)}.`,
        ...(wasSealed ? [] : ['It was not sealed.']),
        ...(taken > 0 ? [`${taken} samples that had come meanwhile were taken up.`] : []),
      ]
      for (const line of lines) invocation.io.out(line)
      return 0
    })
  },
}
