import { byteAt } from '../../../kernel/checked.ts'
import { type Kwh, larger, subtract, ZERO_KWH } from '../../../kernel/decimal.ts'
import {
  dayStart,
  HOUR_MS,
  type LocalDate,
  localYear,
  periodEnd,
  periodOf,
  periodStart,
} from '../../../kernel/time.ts'
import { forecastHours } from '../hourly-forecast/forecast-hours.ts'
import { netPeriod } from '../period.ts'
import { applyChanges } from '../scenario/apply.ts'
import { figuresOfBase, figuresOfChanges, prepareSizing } from '../scenario/sizing.ts'
import type { SizingFigures } from '../scenario/sizing-run.ts'
import {
  assignmentsOf,
  BOUNDARY_BIT,
  factsOf,
  makeTimeline,
  PRODUCTION_BIT,
  quantitiesAt,
  readInto,
  type Timeline,
  writeMeters,
} from '../scenario/timeline.ts'
import type { Change, ScenarioBase } from '../scenario/types.ts'
import { needsStepState, stepStatesBefore } from '../steps.ts'
import type { AccountInput, MemberInput, PeriodInput } from '../types.ts'
import { type DispatchProposal, type DispatchRequest, optimiseDispatch } from './dispatch.ts'
import type { Solve } from './linear-model.ts'
import { OPTIMISATION_FAULTS, OptimisationFault } from './messages.ts'

const DAY_HOURS = 24

/** Which quantile of the forecast a day has. `low`: little production and much consumption; `high`: the opposite. */
type Outlook = 'low' | 'expected' | 'high'

export interface NextDayRequest extends DispatchRequest {
  readonly day: LocalDate
}

export interface NextDayProposal extends DispatchProposal {
  /** The same set points where production and consumption are those of the ends of the band. */
  readonly outlooks: readonly {
    readonly name: 'low' | 'high'
    readonly base: SizingFigures
    readonly proposal: SizingFigures
  }[]
}

/**
 * The dispatch of batteries on a coming day: production and consumption of each member are forecast from the hours of
 * the base, and the balances, prices and memberships are those of its last month. Throws OptimisationFault.
 */
export function optimiseNextDay(base: ScenarioBase, request: NextDayRequest, solve: Solve): NextDayProposal {
  const { day, batteries, replacesMeasured } = request
  const removals = replacesMeasured
    ? batteries.map(({ facilityId }): Change => ({ type: 'remove_battery', facilityId }))
    : []
  const known = applyChanges(base, removals)
    .inputs.filter(({ groupId }) => groupId === request.groupId)
    .toSorted((a, b) => a.window.from - b.window.from)
  const last = known.at(-1)
  if (!last) throw noResult(request)
  if (dayStart(day) < last.window.to) {
    const text = OPTIMISATION_FAULTS.OPTIMISATION_DAY_IS_KNOWN({ day })
    throw new OptimisationFault('first_day', text)
  }
  const forecasts = forecastMembers(base, { known, last, day })
  const dayBase = (outlook: Outlook) =>
    prepareSizing(baseOfDay(base, { known, last, day, forecasts, outlook }))
  const expected = dayBase('expected')
  const days = { from: day, to: nextDay(day), replacesMeasured: false }
  const proposal = optimiseDispatch(expected, { ...request, ...days }, solve)
  const changes = proposal.candidates[0]?.changes ?? []
  const outlooks = (['low', 'high'] as const).map((name) => {
    const own = dayBase(name)
    return { name, base: figuresOfBase(own), proposal: figuresOfChanges(own, changes).figures }
  })
  return { ...proposal, outlooks }
}

const nextDay = (day: LocalDate): LocalDate =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY_HOURS * HOUR_MS).toISOString().slice(0, 10)

function noResult({ groupId }: DispatchRequest): OptimisationFault {
  const text = OPTIMISATION_FAULTS.OPTIMISATION_GROUP_WITHOUT_RESULT({ group: groupId })
  return new OptimisationFault('group_ids', text)
}

interface Known {
  /** The windows of the group, in order. */
  readonly known: readonly PeriodInput[]
  readonly last: PeriodInput
  readonly day: LocalDate
}

/** The energies of a member by hour of the day, for each outlook. */
interface MemberForecast {
  readonly member: MemberInput
  /** The meters that it has, as bits of a timeline. */
  readonly roles: number
  readonly production: Readonly<Record<Outlook, readonly Kwh[]>> | undefined
  readonly consumption: Readonly<Record<Outlook, readonly Kwh[]>> | undefined
}

const isMemberOn = (day: LocalDate, { validFrom, validTo }: MemberInput): boolean =>
  validFrom <= day && (validTo === null || day < validTo)

function forecastMembers(base: ScenarioBase, { known, last, day }: Known): MemberForecast[] {
  const range = { from: periodStart(base.from), to: periodEnd(base.to) }
  return last.members
    .filter((member) => isMemberOn(day, member))
    .map((member) => {
      const timeline = makeTimeline(member.facilityId, range)
      for (const input of known) readInto(timeline, input)
      const hours = (last.window.to - range.from) / HOUR_MS
      const valueAt = (index: number) => quantitiesAt(timeline, index, 'mixed')
      const series = (kind: 'production' | 'consumption') => {
        const valuesKwh = Array.from({ length: hours }, (_, index) =>
          kind === 'production' ? valueAt(index).productionKwh : valueAt(index).consumptionKwh,
        )
        if (valuesKwh.every((value) => value === null)) return undefined
        return forecastOf(base, { member, kind, day, history: { from: range.from, valuesKwh } })
      }
      const isProducer = member.role !== 'consumption'
      const roles = byteAt(timeline.roles, hours - 1)
      const needsBoth = (roles & BOUNDARY_BIT) !== 0
      return {
        ...{ member, roles },
        production: isProducer || needsBoth ? series('production') : undefined,
        consumption: member.role !== 'production' || needsBoth ? series('consumption') : undefined,
      }
    })
}

interface ForecastOf {
  readonly member: MemberInput
  readonly kind: 'production' | 'consumption'
  readonly day: LocalDate
  readonly history: { readonly from: number; readonly valuesKwh: readonly (Kwh | null)[] }
}

function forecastOf(
  { solarShape }: ScenarioBase,
  { member, kind, day, history }: ForecastOf,
): Readonly<Record<Outlook, readonly Kwh[]>> {
  const isSolar = member.sourceType === null || member.sourceType === 'solar'
  const { p10, p50, p90 } = forecastHours({
    ...{ kind, history, from: dayStart(day), hours: DAY_HOURS },
    solarShape: kind === 'production' && isSolar ? solarShape : [],
  })
  const whole = (list: readonly (Kwh | null)[]): Kwh[] =>
    list.map((value) => {
      if (value !== null) return value
      const facility = member.facilityName ?? member.facilityId
      throw new OptimisationFault('from', OPTIMISATION_FAULTS.OPTIMISATION_NO_FORECAST({ facility, day }))
    })
  const [low, high] = kind === 'production' ? [p10, p90] : [p90, p10]
  return { low: whole(low), expected: whole(p50), high: whole(high) }
}

interface DayOf extends Known {
  readonly forecasts: readonly MemberForecast[]
  readonly outlook: Outlook
}

function baseOfDay(base: ScenarioBase, { known, last, day, forecasts, outlook }: DayOf): ScenarioBase {
  const billingPeriod = periodOf(dayStart(day))
  const window = { from: dayStart(day), to: dayStart(day) + DAY_HOURS * HOUR_MS }
  const meters = forecasts.map((forecast) => timelineOf(forecast, window, outlook))
  const ofMonth = known.filter((input) => input.billingPeriod === billingPeriod)
  const members = last.members.filter((member) => isMemberOn(day, member))
  const isFirstDay = window.from === periodStart(billingPeriod)
  const past = {
    ...{ billingPeriod, members, until: last.window.to },
    assignments: ofMonth.flatMap(({ assignments }) => assignments),
    facts: ofMonth.flatMap(({ facts }) => facts),
  }
  const needsSteps = !isFirstDay && ofMonth.length > 0 && members.some(needsStepState)
  const input: PeriodInput = {
    ...last,
    ...{ billingPeriod, window, members },
    facts: meters.flatMap((timeline) => factsOf(timeline, window)),
    assignments: meters.flatMap((timeline) => assignmentsOf(timeline, window)),
    accounts: accountsAfter(last, localYear(window.from)),
    takenElsewhere: [],
    stepStates: needsSteps ? stepStatesBefore(past) : [],
  }
  return { ...base, from: billingPeriod, to: billingPeriod, inputs: [input], others: [] }
}

/** The balances after the last window; a new year begins without accounts. */
function accountsAfter(last: PeriodInput, year: number): AccountInput[] {
  const used = new Map<string, bigint>()
  for (const { accountId, matchedKwh, paidSurplusKwh } of netPeriod(last).netted.flatMap(
    (slice) => slice.usage,
  ))
    used.set(accountId, (used.get(accountId) ?? 0n) + matchedKwh + paidSurplusKwh)
  return last.accounts
    .filter((account) => account.year === year)
    .map((account) => ({
      ...account,
      openingBalanceKwh: subtract(account.openingBalanceKwh, (used.get(account.accountId) ?? 0n) as Kwh),
    }))
}

/** The meters of a member on the day: those that it has now, with what they would measure. */
function timelineOf(
  { member, roles, production, consumption }: MemberForecast,
  window: { readonly from: number; readonly to: number },
  outlook: Outlook,
): Timeline {
  const timeline = makeTimeline(member.facilityId, window)
  for (let index = 0; index < DAY_HOURS; index += 1) {
    const produced = production?.[outlook][index]
    const consumed = consumption?.[outlook][index]
    const isSamePoint = (roles & BOUNDARY_BIT) !== 0 && (roles & PRODUCTION_BIT) !== 0
    const difference = subtract(consumed ?? ZERO_KWH, produced ?? ZERO_KWH)
    writeMeters(timeline, index, roles, {
      production: produced,
      consumption: consumed,
      import: isSamePoint ? larger(difference, ZERO_KWH) : consumed,
      export: isSamePoint ? larger(-difference as Kwh, ZERO_KWH) : produced,
    })
  }
  return timeline
}
