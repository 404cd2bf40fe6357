import { HOUR_MS } from '../../kernel/time.ts'
import { WARNING_TEXTS } from './messages.ts'
import type { Slice } from './slices.ts'
import type { MemberInput, PeriodInput } from './types.ts'
import type { WarningList } from './warning-list.ts'

const VALUES_MISSING = {
  production: WARNING_TEXTS.MEMBER_PRODUCTION_MISSING,
  consumption: WARNING_TEXTS.MEMBER_CONSUMPTION_MISSING,
} as const

type CalculatedWindow = Pick<PeriodInput, 'groupId' | 'groupName' | 'billingPeriod' | 'window'>

interface Unknown {
  readonly member: MemberInput
  readonly quantity: 'production' | 'consumption'
  hours: number
}

/**
 * Counts hours without a value. It warns once for each facility and quantity with such hours, which the netting counts
 * as 0, and once for the hours of the window in which the group has no member.
 */
export class UnknownValues {
  readonly #unknown = new Map<string, Unknown>()
  #slices = 0

  add({ producers, consumers }: Slice): void {
    this.#slices += 1
    for (const { member, productionKwh } of producers)
      if (productionKwh === null) this.#count(member, 'production')
    for (const { member, consumptionKwh } of consumers)
      if (consumptionKwh === null) this.#count(member, 'consumption')
  }

  #count(member: MemberInput, quantity: Unknown['quantity']): void {
    const key = `${member.facilityId} ${quantity}`
    const entry = this.#unknown.get(key) ?? { member, quantity, hours: 0 }
    entry.hours += 1
    this.#unknown.set(key, entry)
  }

  warn({ groupId, groupName, billingPeriod, window }: CalculatedWindow, warnings: WarningList): void {
    const all = (window.to - window.from) / HOUR_MS
    const inGroup = { group: groupName, period: billingPeriod, of_hours: all }
    for (const [key, { member, quantity, hours }] of this.#unknown) {
      const parameters = { ...inGroup, facility: member.facilityName ?? member.facilityId, hours }
      warnings.add('MEMBER_VALUES_MISSING', key, () => VALUES_MISSING[quantity](parameters))
    }
    const without = all - this.#slices
    if (without === 0) return
    const parameters = { ...inGroup, hours: without }
    warnings.add('HOURS_WITHOUT_MEMBERS', groupId, () => WARNING_TEXTS.HOURS_WITHOUT_MEMBERS(parameters))
  }
}
