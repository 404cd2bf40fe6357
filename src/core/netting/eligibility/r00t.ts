import { consumersOf, idsOf, knownAboneGroups, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, EligibilityPrice, Rule, Verdict } from './types.ts'

const PURPOSES: readonly string[] = [
  'mahsuplasma_related_tariff',
  'mahsuplasma_lowest_related_tariff',
  'customer_bill_active_energy',
]

/**
 * Regulated price: an approved one for each subscriber group of the consumers. An unknown subscriber group is
 * satisfied by any. [our decision] A row counts when it is of the current month or its validity covers today.
 * For a month that is over, the rows of sets that were archived since count as well, because they price it.
 */
export const r00t: Rule = { code: 'R00T', severity: 'error', isBlocking: true, check }

function check(input: EligibilityInput): Verdict {
  const consumers = consumersOf(input)
  if (consumers.length === 0) return { status: 'not_applicable', message: RULE_TEXTS.NO_MEMBER_CONSUMES() }
  const month = input.today.slice(0, 7)
  const priced = new Set(
    input.prices.filter((price) => counts(price, input)).map((price) => price.aboneGrubu),
  )
  const missing = knownAboneGroups(input).filter((aboneGrubu) => !priced.has(aboneGrubu))
  const without = consumers.filter(({ aboneGrubu }) =>
    aboneGrubu === null ? priced.size === 0 : !priced.has(aboneGrubu),
  )
  if (without.length === 0) {
    return { status: 'pass', message: RULE_TEXTS.R00T_PASS({ month }) }
  }
  const parameters = { month, facilities: namesOf(without) }
  return {
    status: 'fail',
    reasonCode: 'TARIFF_NOT_APPROVED',
    message:
      missing.length > 0
        ? RULE_TEXTS.R00T_TARIFF_OF_GROUPS_NOT_APPROVED({ ...parameters, abone_grubu: missing })
        : RULE_TEXTS.R00T_TARIFF_NOT_APPROVED(parameters),
    details: { billing_period: `${month}-01`, abone_grubu: missing, facility_ids: idsOf(without) },
  }
}

function counts(price: EligibilityPrice, { today, isPeriodOver }: EligibilityInput): boolean {
  const isOfMonth = price.billingPeriod === `${today.slice(0, 7)}-01`
  const coversToday = price.validFrom <= today && (price.validTo === null || today <= price.validTo)
  const isUsable = price.setStatus === 'approved' || isPeriodOver
  return isUsable && PURPOSES.includes(price.purpose) && (isOfMonth || coversToday)
}
