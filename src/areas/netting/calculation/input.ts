import { activeStarts, groupByFacility, isConsumer, scenarioOf } from '../../../core/netting/members.ts'
import type {
  AccountInput,
  AssignmentInput,
  MemberInput,
  PeriodInput,
  PriceRowInput,
  Scenario,
  TakenElsewhere,
} from '../../../core/netting/types.ts'
import { type Kwh, subtract } from '../../../kernel/decimal.ts'
import { found } from '../../../kernel/errors.ts'
import {
  type BillingPeriod,
  HOUR_MS,
  localYear,
  periodRange,
  periodStart,
  type Range,
} from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { inChunks } from '../../../platform/async/yield.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { eligibilityOf, type PeriodEligibility } from '../eligibility/index.ts'
import { readMeters, rolesOf } from '../hourly-energy/index.ts'
import { listMarks } from '../stale/index.ts'
import { approvedPrices } from '../tariffs/index.ts'
import { isStorageExportStrict } from '../tenant-settings/index.ts'
import { type Engine, type FactPiece, withEngine } from './engine.ts'
import * as inputs from './input-store.ts'
import { type Account, balancesAsOf, lockAccounts } from './ledger-store.ts'
import { CALCULATION_IDLE_MAX_MS, CALCULATION_THREAD_HOURS_MIN } from './limits.ts'
import { CALCULATION_TEXTS } from './messages.ts'
import { type CurrentRun, listCurrentRuns } from './run-store.ts'
import { collectInput, rangeBefore, steppedBefore, type WindowInput } from './window-input.ts'

/** The inputs of a period's calculation that do not depend on the window. */
export interface PeriodBase {
  readonly group: inputs.GroupRow
  readonly billingPeriod: BillingPeriod
  readonly eligibility: PeriodEligibility
  readonly scenario: Scenario
  /** The setting of the tenant for storage export of unknown origin. */
  readonly strictStorageExport: boolean
  readonly members: readonly MemberInput[]
  readonly assignments: readonly AssignmentInput[]
  readonly prices: readonly PriceRowInput[]
  /** The accounts of the consumers for the year of the period. */
  readonly accounts: readonly Account[]
  /** Current runs of the period, in time order. */
  readonly runs: readonly CurrentRun[]
  /** Current runs of later periods of the same year. */
  readonly laterRuns: readonly CurrentRun[]
  /** The marks of changed input that were visible before the input was read; empty for read requests. */
  readonly markIds: readonly string[]
}

interface PeriodOfGroup {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  /** Determines whether the period is over. */
  readonly now: number
}

/** Locks the group, then its accounts in id order, and reads what does not depend on the window. */
export async function loadBase(
  tx: TenantTx,
  { groupId, billingPeriod, now }: PeriodOfGroup,
): Promise<PeriodBase> {
  const group = found('group', await inputs.lockGroup(tx, groupId))
  // Before everything else: a change that is committed after this statement keeps its mark.
  const markIds = await listMarks(tx, groupId)
  const accountsOf = (ids: readonly string[], year: number) => lockAccounts(tx, ids, year)
  return assembleBase(tx, { group, billingPeriod, now, accountsOf, markIds })
}

/**
 * Reads the same data without locks, for read requests. It must be called in a snapshot, so that all reads
 * are consistent.
 */
export async function readBase(
  db: TenantDb,
  { groupId, billingPeriod, now }: PeriodOfGroup,
): Promise<PeriodBase> {
  const group = found('group', await inputs.findGroup(db, groupId))
  const accountsOf = (ids: readonly string[], year: number) => inputs.listAccounts(db, ids, year)
  return assembleBase(db, { group, billingPeriod, now, accountsOf, markIds: [] })
}

interface BaseSource extends Pick<PeriodBase, 'group' | 'billingPeriod' | 'markIds'> {
  readonly now: number
  readonly accountsOf: (facilityIds: readonly string[], year: number) => Promise<Account[]>
}

async function assembleBase(
  db: TenantDb,
  { group, billingPeriod, now, accountsOf, markIds }: BaseSource,
): Promise<PeriodBase> {
  const members = await inputs.listMembers(db, group.id, billingPeriod)
  const year = localYear(periodStart(billingPeriod))
  const accounts = await accountsOf(facilitiesOf(members.filter(isConsumer)), year)
  const period = periodRange(billingPeriod)
  const facilityIds = facilitiesOf(members)
  const meters = await readMeters(db, facilityIds, period)
  const prices = await approvedPrices(db, period)
  const runs = await listCurrentRuns(db, group.id, { from: billingPeriod, to: `${year}-12-01` })
  const eligibility = await eligibilityOf(db, { group, billingPeriod, now, known: { meters, prices } })
  return {
    group,
    billingPeriod,
    eligibility,
    strictStorageExport: await isStorageExportStrict(db),
    scenario: scenarioOf({ billingPeriod, eligibilityStatus: eligibility.status, members }),
    members,
    assignments: rolesOf(meters, facilityIds, period),
    prices,
    accounts,
    runs: runs.filter((run) => run.billingPeriod === billingPeriod),
    laterRuns: runs.filter((run) => run.billingPeriod > billingPeriod),
    markIds,
  }
}

const facilitiesOf = (members: readonly MemberInput[]): string[] => [
  ...new Set(members.map((member) => member.facilityId)),
]

/** A window of a period whose input is in the engine. */
export interface LoadedWindow {
  readonly window: Range
  /** The current runs that it replaces. */
  readonly replaced: readonly CurrentRun[]
  /** The balance of each account before the window, by account id. */
  readonly openings: ReadonlyMap<string, Kwh>
}

/** The number of facility hours of a window, which determines what its calculation costs. */
export const facilityHours = ({ members }: Pick<PeriodBase, 'members'>, { from, to }: Range): number =>
  (facilitiesOf(members).length * (to - from)) / HOUR_MS

/** Gives an engine to a piece of work in a transaction, which may be idle while a thread computes. */
export async function inEngine<T>(
  tx: TenantTx,
  hours: number,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  if (hours >= CALCULATION_THREAD_HOURS_MIN) await inputs.allowIdle(tx, CALCULATION_IDLE_MAX_MS)
  return withEngine(hours, work)
}

/** Gives the engine what the window needs, with balances as of its start. */
export async function loadEngine(
  engine: Engine,
  tx: TenantTx,
  base: PeriodBase,
  window: Range,
): Promise<LoadedWindow> {
  const { input, replaced } = await loadWindow(tx, base, window)
  await engine.load(input, (spares) => copyFacts(tx, input, spares))
  const openings = new Map(input.accounts.map((account) => [account.accountId, account.openingBalanceKwh]))
  return { window, replaced, openings }
}

/**
 * Returns the input of the engine for a window: its facts, and the balances at its start without the runs
 * that it overlaps.
 */
export async function loadInput(
  db: TenantDb,
  base: PeriodBase,
  window: Range,
): Promise<{ readonly input: PeriodInput; readonly warnings: readonly Warning[] }> {
  const { input } = await loadWindow(db, base, window)
  const collected = collectInput(input)
  for (const { span, facilityIds, range } of factRanges(input)) {
    for await (const texts of inputs.readFactTexts(db, facilityIds, range)) collected.add(span, texts)
  }
  return { input: collected.complete(), warnings: roleWarnings(collected.otherRoles, base.members) }
}

async function loadWindow(
  db: TenantDb,
  base: PeriodBase,
  window: Range,
): Promise<Pick<LoadedWindow, 'replaced'> & { readonly input: WindowInput }> {
  const { group, billingPeriod, eligibility, members, assignments, prices } = base
  const replaced = base.runs.filter((run) => run.window.from < window.to && window.from < run.window.to)
  const input: WindowInput = {
    groupId: group.id,
    groupName: group.name,
    billingPeriod,
    window,
    eligibilityStatus: eligibility.status,
    strictStorageExport: base.strictStorageExport,
    members,
    assignments,
    ...(await openAccounts(db, base, { window, replaced })),
    prices,
  }
  return { input, replaced }
}

/** The facts of a window, then those before it that determine the steps of tariffs. */
const factRanges = (input: WindowInput) => [
  { span: 'window' as const, facilityIds: facilitiesOf(input.members), range: input.window },
  { span: 'before' as const, facilityIds: facilitiesOf(steppedBefore(input)), range: rangeBefore(input) },
]

async function* copyFacts(
  tx: TenantTx,
  input: WindowInput,
  spares: ArrayBuffer[],
): AsyncGenerator<FactPiece> {
  for (const { span, facilityIds, range } of factRanges(input)) {
    for await (const fields of inputs.copyFacts(tx, facilityIds, range, spares)) yield { span, fields }
  }
}

/** Warnings about facts that were left out, because other roles were in force. */
export function roleWarnings(
  otherRoles: ReadonlyMap<string, number>,
  members: readonly MemberInput[],
): Warning[] {
  const memberships = groupByFacility(members)
  return [...otherRoles].map(([facilityId, hours]) => {
    const facility = memberships.get(facilityId)?.[0]?.facilityName ?? facilityId
    const message = CALCULATION_TEXTS.FACTS_OF_OTHER_ROLES({ facility, hours })
    return { code: 'FACTS_OF_OTHER_ROLES', subject: facilityId, message }
  })
}

/**
 * The accounts of facilities that are active in the window, with the balance as of their first active hour.
 * For a facility that leaves and returns within the window, also the energy that other groups took in
 * between.
 */
async function openAccounts(
  db: TenantDb,
  { accounts, members }: PeriodBase,
  { window, replaced }: Pick<LoadedWindow, 'window' | 'replaced'>,
): Promise<Pick<PeriodInput, 'accounts' | 'takenElsewhere'>> {
  const excludedRunIds = replaced.map((run) => run.id)
  const memberships = groupByFacility(members)
  const opened: AccountInput[] = []
  const takenElsewhere: TakenElsewhere[] = []
  for await (const some of inChunks(accounts)) {
    const stays = some.map((account) => {
      const ofFacility = memberships.get(account.facilityId) ?? []
      return { ...account, starts: activeStarts(account.facilityId, ofFacility, window) }
    })
    const balances = await readBalances(db, stays, excludedRunIds)
    opened.push(...balances.accounts)
    takenElsewhere.push(...balances.takenElsewhere)
  }
  return { accounts: opened, ...(takenElsewhere.length > 0 && { takenElsewhere }) }
}

interface Stays extends Account {
  /** The first hour of each membership in the window, ascending. */
  readonly starts: readonly number[]
}

async function readBalances(
  db: TenantDb,
  stays: readonly Stays[],
  excludedRunIds: readonly string[],
): Promise<Required<Pick<PeriodInput, 'accounts' | 'takenElsewhere'>>> {
  const balancesAt = (index: number): Promise<Map<string, Kwh>> => {
    const queries = stays.flatMap(({ id, starts }) => {
      const at = starts[index]
      return at === undefined ? [] : [{ accountId: id, at }]
    })
    return balancesAsOf(db, queries, excludedRunIds)
  }
  const openings = await balancesAt(0)
  const takenElsewhere: TakenElsewhere[] = []
  let before = openings
  for (let index = 1; before.size > 0; index += 1) {
    const balances = await balancesAt(index)
    for (const { id, starts } of stays) {
      const [hour, was, now] = [starts[index], before.get(id), balances.get(id)]
      if (hour === undefined || was === undefined || now === undefined || was === now) continue
      takenElsewhere.push({ accountId: id, hour, takenKwh: subtract(was, now) })
    }
    before = balances
  }
  const accounts = stays.flatMap(({ id, facilityId, year }) => {
    const openingBalanceKwh = openings.get(id)
    return openingBalanceKwh === undefined ? [] : [{ accountId: id, facilityId, year, openingBalanceKwh }]
  })
  return { accounts, takenElsewhere }
}
