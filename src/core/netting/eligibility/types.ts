import type { Kwh } from '../../../kernel/decimal.ts'
import type { Message } from '../../../kernel/messages.ts'
import type { LocalDate } from '../../../kernel/time.ts'
import type { AboneGrubu, EligibilityStatus, MemberRole, PriceRowInput, SupplyType } from '../types.ts'

/**
 * The input of an evaluation of a group as of one Turkey-local day, and its result. Both are plain data; the
 * order of lists has no meaning.
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
  readonly supplyType: SupplyType | null
  /** The energy of one hour at the installed power; null: unknown. */
  readonly installedKwhPerHour: Kwh | null
  readonly contractedKwhPerHour: Kwh | null
}

/** The hour of the period in which a facility produced most; its value is that of the strongest source. */
export interface HighestProduction {
  readonly facilityId: string
  readonly hour: number
  readonly productionKwh: Kwh
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
  /** The day that is evaluated: the present one, or the last day of a period that is over. */
  readonly today: LocalDate
  /** The period of the day is over: its prices count although their set was archived since. */
  readonly isPeriodOver: boolean
  readonly groupStatus: string
  readonly scope: { readonly id: string; readonly name: string; readonly isDeclared: boolean } | null
  readonly responsibleSupplierId: string | null
  /** Active today. */
  readonly members: readonly EligibilityMember[]
  /** Members with a limit account of the year of `today`. */
  readonly facilityIdsWithAccount: readonly string[]
  /** Transfers in the year of `today`. */
  readonly transfers: readonly EligibilityTransfer[]
  /** Members with a meter in a main role now. */
  readonly facilityIdsWithMainMeter: readonly string[]
  readonly prices: readonly EligibilityPrice[]
  /** One for each member with a known production in the period of the day. */
  readonly highestProduction: readonly HighestProduction[]
}

/**
 * The result of a rule for a group. Severity and class are present only where they differ from those of the
 * rule.
 */
export interface Verdict {
  readonly status: RuleStatus
  readonly message: Message
  readonly reasonCode?: string
  /** Sent unchanged: snake_case keys, ids and codes. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly severity?: RuleSeverity
  readonly isBlocking?: boolean
}

export interface Rule {
  readonly code: RuleCode
  readonly severity: RuleSeverity
  /** True when a fail blocks the group and an open question keeps it from being valid. */
  readonly isBlocking: boolean
  /**
   * True when the result depends on what a person does, such as a declaration. What was done after the end of
   * a period does not change that period by itself: its evaluations keep the earlier result.
   */
  readonly dependsOnAct?: true
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
