import { formatKwh } from '../../../kernel/decimal.ts'
import type { Message } from '../../../kernel/messages.ts'
import { iso } from '../../../kernel/time.ts'
import { idsOf, namesOf } from './members.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, EligibilityMember, HighestProduction, Rule, Verdict } from './types.ts'

/**
 * Power: no producer produced more in an hour of the period than its installed power allows, and its contracted
 * power is not below the installed one. A warning only.
 */
export const r009: Rule = { code: 'R009', severity: 'warning', isBlocking: false, check }

function check({ members, highestProduction }: EligibilityInput): Verdict {
  const producers = members.filter((member) => member.role !== 'consumption')
  if (producers.length === 0) return { status: 'not_applicable', message: RULE_TEXTS.R002_NO_PRODUCER() }
  const highest = new Map(highestProduction.map((hour) => [hour.facilityId, hour]))
  const above = producers.filter((member) => isAbove(member, highest.get(member.facilityId)))
  const below = producers.filter(
    ({ installedKwhPerHour: installed, contractedKwhPerHour: contracted }) =>
      installed !== null && contracted !== null && contracted < installed,
  )
  if (above.length + below.length > 0) return fail({ above, below, highest })
  const unknown = producers.filter(
    ({ facilityId, installedKwhPerHour: installed, contractedKwhPerHour: contracted }) =>
      installed === null || contracted === null || !highest.has(facilityId),
  )
  if (unknown.length > 0) {
    return {
      status: 'not_checked',
      reasonCode: 'POWER_OR_PRODUCTION_UNKNOWN',
      message: RULE_TEXTS.R009_POWER_OR_PRODUCTION_UNKNOWN({ facilities: namesOf(unknown) }),
      details: { facility_ids: idsOf(unknown) },
    }
  }
  return { status: 'pass', message: RULE_TEXTS.R009_PASS() }
}

const isAbove = ({ installedKwhPerHour }: EligibilityMember, hour: HighestProduction | undefined): boolean =>
  installedKwhPerHour !== null && hour !== undefined && hour.productionKwh > installedKwhPerHour

interface Findings {
  readonly above: readonly EligibilityMember[]
  readonly below: readonly EligibilityMember[]
  readonly highest: ReadonlyMap<string, HighestProduction>
}

function fail({ above, below, highest }: Findings): Verdict {
  return {
    status: 'fail',
    reasonCode: above.length > 0 ? 'PRODUCTION_ABOVE_INSTALLED_POWER' : 'CONTRACTED_BELOW_INSTALLED_POWER',
    message: findingOf(above, below),
    details: {
      hours: above.flatMap(({ facilityId }) => {
        const found = highest.get(facilityId)
        if (!found) return []
        const { hour, productionKwh } = found
        return [{ facility_id: facilityId, hour: iso(hour), production_kwh: formatKwh(productionKwh) }]
      }),
      contracted_below_installed: idsOf(below),
    },
  }
}

function findingOf(above: readonly EligibilityMember[], below: readonly EligibilityMember[]): Message {
  const parameters = { above: namesOf(above), below: namesOf(below) }
  if (below.length === 0) return RULE_TEXTS.R009_PRODUCTION_ABOVE({ above: parameters.above })
  if (above.length === 0) return RULE_TEXTS.R009_CONTRACTED_BELOW({ below: parameters.below })
  return RULE_TEXTS.R009_PRODUCTION_ABOVE_AND_CONTRACTED_BELOW(parameters)
}
