import type { Kwh } from '../../kernel/decimal.ts'
import { HOUR_MS, hoursOf, type LocalDate, localDate } from '../../kernel/time.ts'
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

/** `accounts`: facility id to account id, of the period's year. */
export function sliceHours(input: PeriodInput, accounts: ReadonlyMap<string, string>): SliceSet {
  const members = sortMembers(input.members)
  const values = chooseValues(input.facts, input.window, membershipTest(members))
  const roles = rolesByHour(input.assignments, input.window)
  const steps = trackSteps(input)
  const rosters = new Map<LocalDate, Roster>()
  const none: FacilityValues = {}
  const quantities = (member: MemberInput, hour: number): Quantities => {
    const hourIndex = (hour - input.window.from) / HOUR_MS
    return quantitiesOf({
      roles: roles.get(member.facilityId)?.[hourIndex] ?? 0,
      values: values.get(member.facilityId) ?? none,
      hourIndex: hourIndex,
      memberRole: member.role,
      hasStorage: member.hasStorage,
      strictStorageExport: input.strictStorageExport ?? true,
    })
  }
  const slices = hoursOf(input.window).flatMap((hour): Slice[] => {
    const date = localDate(hour)
    const roster = rosters.get(date) ?? rosterOn(date, members)
    rosters.set(date, roster)
    if (roster.producers.length + roster.consumers.length === 0) return []
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
    return [{ hour, date, producers, consumers, dataQuality }]
  })
  return { slices, values }
}
