import { createHash, type Hash } from 'node:crypto'
import { periodStart } from '../../kernel/time.ts'
import { sortMembers } from './members.ts'
import type { FacilityValues, Kind } from './sources.ts'
import { needsStepState } from './steps.ts'
import { sortedBy } from './text-order.ts'
import type { AccountInput, MemberInput, PeriodInput, PriceRowInput, Scenario } from './types.ts'

/** Increased whenever the same input may give other rows: every period then counts as changed. */
export const ENGINE_VERSION = '3'

/** The values that were chosen from the facts count instead of them. */
type HashedInput = Omit<PeriodInput, 'facts'>

export interface HashParts {
  readonly input: HashedInput
  readonly scenario: Scenario
  readonly accounts: readonly AccountInput[]
  readonly values: ReadonlyMap<string, FacilityValues>
  readonly lookups: ReadonlyMap<string, PriceRowInput | null>
}

/**
 * sha256 over everything that a result depends on, in one canonical encoding: the chosen values instead of
 * all facts, the prices that were looked up instead of all rows. Names and the order of lists do not count.
 */
export function hashInput({ input, scenario, accounts, values, lookups }: HashParts): string {
  const hash = createHash('sha256')
  const { groupId, billingPeriod, window, eligibilityStatus } = input
  writeLine(hash, [ENGINE_VERSION, groupId, billingPeriod, window.from, window.to])
  writeLine(hash, [scenario, eligibilityStatus])
  for (const member of sortMembers(input.members)) writeLine(hash, memberLine(member))
  for (const line of assignmentLines(input)) writeLine(hash, ['assignment', line])
  if (input.strictStorageExport === false && input.members.some((member) => member.hasStorage)) {
    writeLine(hash, ['storage export', 'counts as production while the discharge is unknown'])
  }
  for (const account of accounts) {
    writeLine(hash, ['account', account.accountId, account.facilityId, String(account.openingBalanceKwh)])
  }
  for (const line of takenLines(input, accounts)) writeLine(hash, ['taken', ...line])
  if (scenario !== 'mesken_monthly') for (const line of stepLines(input)) writeLine(hash, ['step', ...line])
  for (const { facilityId, hour, priceTryPerKwh } of sortedBy(
    input.hourlyBillPrices ?? [],
    (row) => `${row.facilityId}|${row.hour}`,
  )) {
    writeLine(hash, ['bill price', facilityId, hour, String(priceTryPerKwh)])
  }
  for (const [key, row] of sortedBy([...lookups], ([key]) => key)) {
    writeLine(hash, ['price', key, row?.id ?? null, row && String(row.priceTryPerKwh)])
  }
  writeValues(hash, values)
  return hash.digest('hex')
}

type Field = string | number | boolean | null

const writeLine = (hash: Hash, fields: readonly Field[]): void => {
  hash.update(`${JSON.stringify(fields)}\n`)
}

const memberLine = (member: MemberInput): Field[] => [
  'member',
  member.facilityId,
  member.role,
  member.validFrom,
  member.validTo,
  member.aboneGrubu,
  member.tariffSupplyType,
  member.isMultiTime,
  member.producerTariffGroup,
  member.sourceType,
  member.gridOperatorId,
  member.hasStorage,
  // Appended only where it is known, so that the hashes of other inputs stay the same.
  ...(member.voltageLevel ? [member.voltageLevel] : []),
]

/** Assignments as far as they reach into the window: what happens to one later changes no result. */
function assignmentLines({ assignments, window }: HashedInput): string[] {
  return assignments
    .filter((item) => item.from < window.to && (item.to === null || item.to > window.from))
    .map(({ facilityId, role, from, to }) =>
      JSON.stringify([facilityId, role, Math.max(from, window.from), Math.min(to ?? window.to, window.to)]),
    )
    .sort()
}

function takenLines({ takenElsewhere = [] }: HashedInput, accounts: readonly AccountInput[]): Field[][] {
  const counted = new Set(accounts.map((account) => account.accountId))
  return sortedBy(takenElsewhere, ({ accountId, hour }) => `${accountId}|${hour}`)
    .filter(({ accountId }) => counted.has(accountId))
    .map(({ accountId, hour, takenKwh }) => [accountId, hour, String(takenKwh)])
}

function stepLines({ members, stepStates, window, billingPeriod }: HashedInput): Field[][] {
  if (window.from === periodStart(billingPeriod)) return []
  const needing = new Set(members.filter(needsStepState).map((member) => member.facilityId))
  return sortedBy(stepStates, (state) => state.facilityId)
    .filter((state) => needing.has(state.facilityId))
    .map((state) => [state.facilityId, String(state.consumptionKwh), state.hasMissingHour])
}

const KINDS: readonly Kind[] = ['production', 'consumption', 'zoneConsumption', 'import', 'export', 'battery']

/**
 * One line for each facility and kind: hour of the window, Wh, source and quality of every chosen reading.
 */
function writeValues(hash: Hash, values: ReadonlyMap<string, FacilityValues>): void {
  for (const [facilityId, series] of sortedBy([...values], ([id]) => id)) {
    for (const kind of KINDS) {
      const list = series[kind]
      if (!list) continue
      const fields: string[] = []
      for (let index = 0; index < list.length; index += 1) {
        const chosen = list.at(index)
        if (chosen) fields.push(`${index},${chosen.valueKwh},${chosen.source},${chosen.quality}`)
      }
      hash.update(`${facilityId}|${kind}|${fields.join(';')}\n`)
    }
  }
}
