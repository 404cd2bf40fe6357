import { cutAtRoles } from '../../../core/netting/role-sets.ts'
import type { MeasurementRole, MemberRole } from '../../../core/netting/types.ts'
import { HOUR_MS, type Range } from '../../../kernel/time.ts'
import { type Fact, missingFact } from './facts.ts'
import type { FacilityMeters } from './official.ts'
import type { Membership } from './store.ts'

/** A role that must have a fact in the hours of a range. */
export interface ExpectedRole extends Range {
  readonly role: MeasurementRole
}

const DEFAULT_ROLE: Readonly<Record<MemberRole, MeasurementRole>> = {
  production: 'main_production',
  consumption: 'main_consumption',
  mixed: 'pcc_import_export',
}

/**
 * The roles that official meters put in force, and in hours of a membership without any main role the one that the
 * member needs: every hour of a member has a fact, also without a meter.
 */
export function expectedRoles(
  { spans = [], roles }: Pick<FacilityMeters, 'spans' | 'roles'>,
  memberships: readonly Membership[],
): ExpectedRole[] {
  const unmetered = cutAtRoles(memberships, roles).filter(({ roleSet }) => roleSet === 0)
  return [
    ...spans.filter(({ countsAsAssigned }) => countsAsAssigned),
    ...unmetered.map(({ from, to, role }) => ({ from, to, role: DEFAULT_ROLE[role] })),
  ]
}

/** A row with source missing for each hour of expected roles that no source has measured. */
export function missingFacts(expected: readonly ExpectedRole[], known: readonly Fact[]): Fact[] {
  const hasFact = new Set(known.filter(isMeasured).map(({ hour, role }) => `${hour}|${role}`))
  const facts: Fact[] = []
  for (const { from, to, role } of expected) {
    for (let hour = from; hour < to; hour += HOUR_MS) {
      const key = `${hour}|${role}`
      if (hasFact.has(key)) continue
      hasFact.add(key)
      facts.push(missingFact(role, hour))
    }
  }
  return facts
}

const isMeasured = ({ source, kwh }: Fact): boolean =>
  source === 'missing' || Object.values(kwh).some((value) => value !== null)
