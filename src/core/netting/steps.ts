import { add, type Kwh, larger, smaller, subtract, wh, ZERO_KWH } from '../../kernel/decimal.ts'
import { HOUR_MS, hoursOf, periodStart, type Range } from '../../kernel/time.ts'
import {
  firstActiveHour,
  groupByFacility,
  isConsumer,
  membershipDays,
  membershipTest,
  sortMembers,
} from './members.ts'
import { quantitiesOf, rolesByHour } from './quantities.ts'
import { chooseValues, type FacilityValues } from './sources.ts'
import type { AboneGrubu, MemberInput, PeriodInput, StepStateInput } from './types.ts'

/**
 * Steps (kademe) of the single-time tariff. The consumption of a month up to the daily threshold times the
 * calendar days of membership in the period is priced at step 1, the rest at step 2. Only these groups have
 * steps.
 */
const DAILY_THRESHOLD_KWH: Readonly<Partial<Record<AboneGrubu, Kwh>>> = {
  mesken: wh(8_000n),
  ticarethane: wh(30_000n),
}

/**
 * Room below the threshold when a slice begins. `none`: the subscriber group has no steps. Null: not known,
 * because an hour so far is missing.
 */
export type StepRoom = 'none' | Kwh | null

export const needsStepState = (member: MemberInput): boolean =>
  isConsumer(member) && thresholdPerDay(member) !== undefined

/** The threshold of a calendar day, or undefined where the group has no steps. */
export const dailyStepThreshold = (aboneGrubu: AboneGrubu | null): Kwh | undefined =>
  aboneGrubu === null ? undefined : DAILY_THRESHOLD_KWH[aboneGrubu]

const thresholdPerDay = (member: MemberInput): Kwh | undefined => dailyStepThreshold(member.aboneGrubu)

/** The threshold of a member for the whole period, or undefined where the group has no steps. */
export function stepThreshold(
  member: MemberInput,
  members: readonly MemberInput[],
  billingPeriod: string,
): Kwh | undefined {
  const perDay = thresholdPerDay(member)
  return perDay && wh(perDay * BigInt(membershipDays(member.facilityId, members, billingPeriod)))
}

/** Month-to-date consumption of the members that have steps, walked hour by hour in time order. */
export interface StepTracker {
  room(member: MemberInput): StepRoom
  advance(facilityId: string, consumptionKwh: Kwh | null): void
}

export function trackSteps(
  input: Pick<PeriodInput, 'billingPeriod' | 'members' | 'stepStates' | 'window'>,
): StepTracker {
  const states = initialStates(input)
  const thresholds = new Map<string, Kwh>()
  const memberships = groupByFacility(input.members)
  for (const member of input.members.filter(needsStepState)) {
    const own = memberships.get(member.facilityId) ?? []
    const threshold = stepThreshold(member, own, input.billingPeriod)
    if (threshold !== undefined) thresholds.set(member.facilityId, threshold)
  }
  return {
    room(member) {
      const threshold = needsStepState(member) ? thresholds.get(member.facilityId) : undefined
      if (threshold === undefined) return 'none'
      const state = states.get(member.facilityId)
      if (!state || state.hasMissingHour) return null
      return larger(subtract(threshold, state.consumptionKwh), ZERO_KWH)
    },
    advance(facilityId, consumptionKwh) {
      const state = states.get(facilityId)
      if (!state) return
      if (consumptionKwh === null) state.hasMissingHour = true
      else state.consumptionKwh = add(state.consumptionKwh, consumptionKwh)
    },
  }
}

interface State {
  consumptionKwh: Kwh
  hasMissingHour: boolean
}

/** A member that was active before the window and has no given state has an unknown state. */
function initialStates({
  billingPeriod,
  members,
  stepStates,
  window,
}: Pick<PeriodInput, 'billingPeriod' | 'members' | 'stepStates' | 'window'>): Map<string, State> {
  const given = new Map(stepStates.map((state) => [state.facilityId, state]))
  const before = { from: periodStart(billingPeriod), to: window.from }
  const consumers = groupByFacility(members.filter(isConsumer))
  const states = new Map<string, State>()
  for (const { facilityId } of members.filter(needsStepState)) {
    const state = given.get(facilityId)
    const hasPast = firstActiveHour(facilityId, consumers.get(facilityId) ?? [], before) !== undefined
    states.set(facilityId, {
      consumptionKwh: hasPast && state ? state.consumptionKwh : ZERO_KWH,
      hasMissingHour: hasPast && (state?.hasMissingHour ?? true),
    })
  }
  return states
}

type PastInput = Pick<PeriodInput, 'billingPeriod' | 'members' | 'assignments'> & {
  /** Start of the window. */
  readonly until: number
}

/**
 * The step states that a window needs, from the facts of [start of the period, until). [inferred] The sum
 * starts on the first day of the period and counts the hours of membership, as the threshold counts its days.
 */
export const stepStatesBefore = ({ facts, ...past }: PastInput & Pick<PeriodInput, 'facts'>) =>
  stepStatesOf(
    past,
    chooseValues(facts, pastRange(past), () => true),
  )

/** The range before a window that determines its step states. */
export const pastRange = ({ billingPeriod, until }: Pick<PastInput, 'billingPeriod' | 'until'>): Range => ({
  from: periodStart(billingPeriod),
  to: until,
})

/** As `stepStatesBefore`, from the values that are chosen from the facts. */
export function stepStatesOf(past: PastInput, values: ReadonlyMap<string, FacilityValues>): StepStateInput[] {
  const window = pastRange(past)
  const roles = rolesByHour(past.assignments, window)
  const consumers = groupByFacility(sortMembers(past.members.filter(needsStepState)))
  return [...consumers].map(([facilityId, memberships]) => {
    let consumptionKwh = ZERO_KWH
    let hasMissingHour = false
    for (const member of memberships) {
      const isActive = membershipTest([member])
      for (const hour of hoursOf(window)) {
        if (!isActive(facilityId, hour)) continue
        const hourIndex = (hour - window.from) / HOUR_MS
        const value = quantitiesOf({
          roles: roles.get(facilityId)?.[hourIndex] ?? 0,
          values: values.get(facilityId) ?? {},
          hourIndex: hourIndex,
          memberRole: member.role,
          hasStorage: member.hasStorage,
        }).consumptionKwh
        if (value === null) hasMissingHour = true
        else consumptionKwh = add(consumptionKwh, value)
      }
    }
    return { facilityId, consumptionKwh, hasMissingHour }
  })
}

/**
 * The parts of a matched quantity that fall to the two steps; `isKnown` is false where the high step is
 * assumed.
 */
export interface StepSplit {
  readonly lowKwh: Kwh
  readonly highKwh: Kwh
  readonly isKnown: boolean
}

/**
 * [inferred] Netting removes the dearest step first: of the consumption above the threshold as much as was
 * matched, the rest below. The same rule serves a month and the hour that crosses the threshold. Unknown
 * room: all high.
 */
export function splitSteps(matchedKwh: Kwh, consumptionKwh: Kwh, roomKwh: Kwh | null): StepSplit {
  if (roomKwh === null) return { lowKwh: ZERO_KWH, highKwh: matchedKwh, isKnown: false }
  const highKwh = smaller(matchedKwh, larger(subtract(consumptionKwh, roomKwh), ZERO_KWH))
  return { lowKwh: subtract(matchedKwh, highKwh), highKwh, isKnown: true }
}
