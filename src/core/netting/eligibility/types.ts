import type { LocalDate } from '../../../kernel/time.ts'
import type { AboneGrubu, EligibilityStatus, MemberRole, PriceRowInput } from '../types.ts'

/**
 * What an evaluation of a group looks at, as it stands on one Turkey-local day, and what it finds. Plain data on both
 * sides; the order of no list carries a meaning.
 */
export type RuleCode =
  | 'R001'
  | 'R002'
  | 'R003'
  | 'R003M'
  | 'R005'
  | 'R007'
  | 'R008'
  | 'R009'
  | 'R010'
  | 'R011'
  | 'R013'
  | 'R00T'
  | 'R00L'
export type RuleStatus = 'pass' | 'fail' | 'not_checked' | 'not_applicable'
export type RuleSeverity = 'info' | 'warning' | 'error'

export interface EligibilityMember {
  readonly facilityId: string
  readonly facilityName: string
  readonly role: MemberRole
  readonly scopeId: string | null
  readonly supplierId: string | null
  readonly aboneGrubu: AboneGrubu | null
}

/** A transfer of limit that touched the account of a member. */
export interface EligibilityTransfer {
  readonly movementId: string
  readonly facilityId: string
  /** The contracted power was declared as confirmed. */
  readonly isConfirmed: boolean
}

/** A row of an approved or archived set that can price an hour of the month. */
export type EligibilityPrice = Pick<
  PriceRowInput,
  'setStatus' | 'billingPeriod' | 'validFrom' | 'validTo' | 'aboneGrubu' | 'purpose'
>

export interface EligibilityInput {
  readonly today: LocalDate
  readonly groupStatus: string
  readonly scope: { readonly id: string; readonly name: string; readonly isDeclared: boolean } | null
  readonly responsibleSupplierId: string | null
  /** Active today. */
  readonly members: readonly EligibilityMember[]
  /** Members with a limit account of the year of `today`. */
  readonly facilityIdsWithAccount: readonly string[]
  /** Of the year of `today`. */
  readonly transfers: readonly EligibilityTransfer[]
  /** Members with a meter in a main role now. */
  readonly facilityIdsWithMainMeter: readonly string[]
  readonly prices: readonly EligibilityPrice[]
}

/** What a rule says of a group. Severity and class stand here only where the result has others than its rule. */
export interface Verdict {
  readonly status: RuleStatus
  readonly message: string
  readonly reasonCode?: string
  /** Goes out as it is: snake_case keys, ids and words. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly severity?: RuleSeverity
  readonly isBlocking?: boolean
}

export interface Rule {
  readonly code: RuleCode
  readonly severity: RuleSeverity
  /** Whether a fail blocks the group and an open question keeps it from being valid. */
  readonly isBlocking: boolean
  readonly check: (input: EligibilityInput) => Verdict
}

export interface RuleResult extends Verdict {
  readonly code: RuleCode
  readonly severity: RuleSeverity
  readonly isBlocking: boolean
}

export interface Evaluation {
  readonly status: EligibilityStatus
  /** One for each registered rule, in their order. */
  readonly results: readonly RuleResult[]
}
