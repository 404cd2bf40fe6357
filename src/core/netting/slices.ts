import type { Kwh } from '../../kernel/decimal.ts'
import { HOUR_MS, hoursOf, type LocalDate, localDate, localDay } from '../../kernel/time.ts'
import { membershipTest, type Roster, rosterOn, sortMembers } from './members.ts'
import { type Quantities, quantitiesOf, rolesByHour } from './quantities.ts'
import { chooseValues, type FacilityValues, worseQuality } from './sources.ts'
import { type StepRoom, trackSteps } from './steps.ts'
import type { DataQuality, MemberInput, PeriodInput } from './types.ts'

/**
 * One slice of time in which production meets consumption: an hour, or for homes the month. Parties are in
 * order of facility id; a mixed member is in both lists.
 */
export interface Slice {
  readonly hour: number
  /** The local date that determines the prices. */
  readonly date: LocalDate
  readonly producers: readonly ProducerPart[]
  readonly consumers: readonly ConsumerPart[]
  readonly dataQuality: DataQuality
}

export interface ProducerPart {
  readonly member: MemberInput
  readonly productionKwh: Kwh | null
  readonly storageExportKwh: Kwh
  /** See `Quantities`. */
  readonly isDischargeUnknown?: boolean
}

export interface ConsumerPart {
  readonly member: MemberInput
  readonly accountId: string | null
  readonly consumptionKwh: Kwh | null
  /** Production that this facility used behind its own meter. */
  readonly selfConsumptionKwh: Kwh | null
  readonly stepRoom: StepRoom
}

/** The hours of the window in which the group has a member, and the readings they were made of. */
export interface SliceSet {
  readonly slices: readonly Slice[]
  readonly values: ReadonlyMap<string, FacilityValues>
}

/** The input of a window with the values that are chosen from its facts, instead of the facts. */
export interface ValuesInput extends Omit<PeriodInput, 'facts'> {
  readonly values: ReadonlyMap<string, FacilityValues>
}

export function withValues({ facts, ...input }: PeriodInput): ValuesInput {
  return { ...input, values: chooseValues(facts, input.window, membershipTest(input.members)) }
}

/** `accounts`: facility id to account id, of the period's year. */
export function sliceHours(facts: PeriodInput, accounts: ReadonlyMap<string, string>): SliceSet {
  const input = withValues(facts)
  return { slices: [...slicesOf(input, accounts)], values: input.values }
}

/** The slices in time order, each made when it is requested. */
export function* slicesOf(input: ValuesInput, accounts: ReadonlyMap<string, string>): Generator<Slice> {
  const members = sortMembers(input.members)
  const quantities = quantitiesIn(input)
  const steps = trackSteps(input)
  let roster: Roster | undefined
  let date = ''
  let dayNumber = Number.NaN
  for (const hour of hoursOf(input.window)) {
    const ofHour = localDay(hour)
    if (!roster || ofHour !== dayNumber) {
      dayNumber = ofHour
      date = localDate(hour)
      roster = rosterOn(date, members)
    }
    if (roster.producers.length + roster.consumers.length === 0) continue
    let dataQuality: DataQuality = 'complete'
    const producers = roster.producers.map((member): ProducerPart => {
      const { productionQuality, ...produced } = quantities(member, hour)
      dataQuality = worseQuality(dataQuality, productionQuality)
      const { productionKwh, storageExportKwh, isDischargeUnknown } = produced
      return { member, productionKwh, storageExportKwh, isDischargeUnknown }
    })
    const consumers = roster.consumers.map((member): ConsumerPart => {
      const { consumptionKwh, selfConsumptionKwh, consumptionQuality } = quantities(member, hour)
      dataQuality = worseQuality(dataQuality, consumptionQuality)
      const stepRoom = steps.room(member)
      steps.advance(member.facilityId, consumptionKwh)
      const accountId = accounts.get(member.facilityId) ?? null
      return { member, accountId, consumptionKwh, selfConsumptionKwh, stepRoom }
    })
    yield { hour, date, producers, consumers, dataQuality }
  }
}

const NO_VALUES: FacilityValues = {}

function quantitiesIn(input: ValuesInput): (member: MemberInput, hour: number) => Quantities {
  const roles = rolesByHour(input.assignments, input.window)
  const strictStorageExport = input.strictStorageExport ?? true
  return ({ facilityId, role, hasStorage }, hour) => {
    const hourIndex = (hour - input.window.from) / HOUR_MS
    return quantitiesOf({
      roles: roles.get(facilityId)?.[hourIndex] ?? 0,
      values: input.values.get(facilityId) ?? NO_VALUES,
      hourIndex,
      memberRole: role,
      hasStorage,
      strictStorageExport,
    })
  }
}
