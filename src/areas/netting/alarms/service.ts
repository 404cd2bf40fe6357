import { AppError } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { type BillingPeriod, floorHour, localYear, type Range } from '../../../kernel/time.ts'
import { inChunks } from '../../../platform/async/yield.ts'
import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { AlarmPayload } from '../../alarms/incidents/index.ts'
import { type AlarmChange, applyAlarms, clearSubject } from '../../alarms/system-alarms/index.ts'
import { FACTS_ALARM_SPAN_MS } from '../limits.ts'
import { readStale } from '../stale/index.ts'
import { type AlarmOpening, causeOf, closeAlarm, type NettingAlarm, subjectKey } from './alarm.ts'
import { correctionAlarms } from './corrections.ts'
import { type BuildIssues, factsAlarms } from './facts.ts'
import { ALARM_TEXTS } from './messages.ts'
import { limitAlarms, type PeriodState, periodAlarms } from './period.ts'
import { staleAlarm } from './stale.ts'
import * as store from './store.ts'

/**
 * Opens, updates and closes incidents according to the findings, in the transaction that writes the findings.
 * Names are read only when an incident opens.
 */
export async function applyNettingAlarms(
  tx: TenantTx,
  alarms: readonly NettingAlarm[],
  at: number,
): Promise<void> {
  const ids = alarms.filter((alarm) => alarm.isOpen).map(({ subject }) => idOf(subject))
  const names = ids.length > 0 ? await store.readNames(tx, [...new Set(ids)]) : new Map()
  const changes = alarms.map((alarm): AlarmChange => {
    const key = { policy: alarm.policy, cause: causeOf(alarm.subject) }
    if (!alarm.isOpen) return { ...key, isOpen: false, reason: alarm.reason }
    const named = names.get(idOf(alarm.subject))
    return {
      ...key,
      isOpen: true,
      severity: alarm.severity,
      message: ALARM_TEXTS.NETTING_ALARM({
        subject: named?.name ?? idOf(alarm.subject),
        text: alarm.text,
      }),
      lastValue: alarm.lastValue,
      payload: payloadOf(alarm, named),
    }
  })
  await applyAlarms(tx, changes, { at })
}

const idOf = (subject: NettingAlarm['subject']): string =>
  'facilityId' in subject ? subject.facilityId : subject.groupId

/**
 * Builds the payload of a netting alarm. The interface requires all six fields; one that does not apply is
 * null.
 */
function payloadOf(
  { subject, ruleCode, details }: AlarmOpening,
  named: store.Named | undefined,
): AlarmPayload {
  const isFacility = 'facilityId' in subject
  return {
    group_id: isFacility ? null : subject.groupId,
    group_name: isFacility ? null : (named?.name ?? null),
    facility_id: isFacility ? subject.facilityId : null,
    facility_name: isFacility ? (named?.name ?? null) : null,
    rule_code: ruleCode ?? null,
    scopes: named?.scopes ?? [],
    ...(details && Object.keys(details).length > 0 && { details }),
  }
}

interface GroupPeriod {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly at: number
}

/**
 * Updates the alarms on prices, free energy, data and limits after a calculation, also after one without a
 * change.
 */
export async function refreshPeriodAlarms(
  tx: TenantTx,
  { result, ...period }: GroupPeriod & Pick<PeriodState, 'result'>,
): Promise<void> {
  const state = await store.readPeriodState(tx, period)
  if (!state) return
  for await (const alarms of inChunks(periodAlarms({ ...state, result }))) {
    await applyNettingAlarms(tx, alarms, period.at)
  }
}

/**
 * Updates the limit alarms after accounts were created, adjusted or transferred. Accounts of other years are
 * skipped.
 */
export async function refreshLimitAlarms(
  tx: TenantTx,
  accountIds: readonly string[],
  at: number,
): Promise<void> {
  const balances = await store.readBalances(tx, accountIds)
  const current = balances.filter(({ year }) => year === localYear(at))
  const alarms = current.flatMap(({ year, ...limit }) => limitAlarms(limit, { needsAccount: false, year }))
  await applyNettingAlarms(tx, alarms, at)
}

interface FactsBuild {
  readonly facilityId: string
  readonly range: Range
  readonly issues: BuildIssues
  readonly at: number
}

/**
 * Updates the alarms on facts after a build. A build of older hours does not concern the current state and is
 * skipped.
 */
export async function refreshFactsAlarms(
  tx: TenantTx,
  { facilityId, range, issues, at }: FactsBuild,
): Promise<void> {
  const until = floorHour(at)
  if (range.to <= until - FACTS_ALARM_SPAN_MS) return
  const state = await store.readFactsState(tx, facilityId, until)
  await applyNettingAlarms(tx, factsAlarms({ ...state, issues }), at)
}

/** Updates the alarm on closed months whose input has changed since their calculation. */
export async function refreshStaleAlarms(tx: TenantTx, groupId: string, at: number): Promise<void> {
  const stale = await readStale(tx, { groupIds: [groupId] })
  await applyNettingAlarms(tx, [staleAlarm(groupId, stale, at)], at)
}

/** Updates the alarms on stopped corrections, after a correction has stopped or ended. */
export async function refreshCorrectionAlarms(tx: TenantTx, groupId: string, at: number): Promise<void> {
  const stopped = await store.readStoppedChains(tx, groupId)
  await applyNettingAlarms(tx, correctionAlarms(groupId, stopped), at)
}

/** Closes all alarms of an inactive group or a deleted facility. */
export const clearAlarmsAbout = (
  tx: TenantTx,
  subject: { readonly groupId: string } | { readonly facilityId: string },
  { reason, at }: { readonly reason: Message; readonly at: number },
): Promise<void> => clearSubject(tx, { subject: subjectKey(subject), reason, at })

type AlarmDeps = Pick<Deps, 'clock' | 'database' | 'log'>
type Failure = Omit<AlarmOpening, 'isOpen' | 'text' | 'details' | 'lastValue'>

/**
 * Runs work and raises an alarm when it fails. The alarm has its own transaction, because the one of the work
 * is rolled back. The error is rethrown. A refusal (4xx) goes to the client and raises no alarm.
 */
export async function withFailureAlarm<T>(
  deps: AlarmDeps,
  tenantId: number,
  failure: Failure & { readonly what: Message },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) await raiseFailure(deps, tenantId, failure)
    throw error
  }
}

/** Runs the monthly close of a group. A failure opens an alarm, a success closes it. */
export async function withMonthlyCloseAlarm<T>(
  deps: AlarmDeps,
  tenantId: number,
  { groupId, billingPeriod }: Omit<GroupPeriod, 'at'>,
  work: () => Promise<T>,
): Promise<T> {
  const key = { policy: 'netting_monthly_close_failed', subject: { groupId, billingPeriod } } as const
  const failure = { ...key, what: ALARM_TEXTS.FAILURE_OF_MONTHLY_CLOSE({ period: billingPeriod }) }
  const done = await withFailureAlarm(deps, tenantId, failure, work)
  const closed = closeAlarm(key, ALARM_TEXTS.END_MONTH_CLOSED({ period: billingPeriod }))
  await inTenantTx(deps.database.kysely, tenantId, (tx) => applyNettingAlarms(tx, [closed], deps.clock.now()))
  return done
}

/** Raises an alarm after a failure. If this fails too, the error is logged. */
export async function raiseFailure(
  { clock, database, log }: AlarmDeps,
  tenantId: number,
  { what, ...key }: Failure & { readonly what: Message },
): Promise<void> {
  // The cause is only logged, because an error of the database may quote stored data.
  const alarm: AlarmOpening = {
    ...key,
    isOpen: true,
    text: ALARM_TEXTS.ALARM_FAILURE({ what }),
  }
  try {
    await inTenantTx(database.kysely, tenantId, (tx) => applyNettingAlarms(tx, [alarm], clock.now()))
  } catch (err) {
    log.error({ err, policy: key.policy }, 'an alarm could not be raised')
  }
}
