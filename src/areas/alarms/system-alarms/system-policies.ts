import { RULES } from '../../../core/netting/eligibility/all-rules.ts'
import type { RuleCode, RuleSeverity } from '../../../core/netting/eligibility/types.ts'

export type AlarmSeverity = 'info' | 'warning' | 'critical'
type AlarmType = 'no_data' | 'counter_reset' | 'limit' | 'custom'

/** A policy that every tenant has. It refers to no device and notifies in the app; see also `MAILED_POLICIES`. */
interface SystemPolicy {
  readonly name: SystemPolicyName
  readonly alarmType: AlarmType
  readonly severity: AlarmSeverity
}

/** The severity of the alarm of an eligibility rule. */
export const SEVERITY_OF_RULE: Readonly<Record<RuleSeverity, AlarmSeverity>> = {
  error: 'critical',
  warning: 'warning',
  info: 'info',
}

/**
 * Critical means that money is being lost or results are missing. Warning means that results are based on
 * incomplete data or that money will be lost soon. Info means that no action is required.
 */
const NETTING = {
  netting_limit_low: ['limit', 'warning'],
  netting_limit_exhausted: ['limit', 'critical'],
  netting_limit_account_missing: ['limit', 'critical'],
  netting_tariff_missing: ['custom', 'warning'],
  netting_facts_missing: ['no_data', 'warning'],
  netting_facts_partial: ['no_data', 'info'],
  netting_meter_reset_suspect: ['counter_reset', 'warning'],
  netting_interval_channel_unsupported: ['custom', 'warning'],
  netting_hourly_build_failed: ['custom', 'critical'],
  netting_calculation_failed: ['custom', 'critical'],
  netting_correction_failed: ['custom', 'critical'],
  netting_cascade_stopped: ['custom', 'critical'],
  netting_monthly_close_failed: ['custom', 'critical'],
  netting_group_blocked: ['custom', 'critical'],
  netting_bedelsiz_risk: ['custom', 'critical'],
  netting_member_change_correction_failed: ['custom', 'critical'],
} as const satisfies Readonly<Record<string, readonly [AlarmType, AlarmSeverity]>>

const MARKET = {
  marketop_api_auth_failed: ['custom', 'critical'],
  marketop_fetch_failed: ['custom', 'warning'],
  marketop_portal_not_whitelisted: ['custom', 'critical'],
  marketop_subscription_missing: ['custom', 'critical'],
} as const satisfies Readonly<Record<string, readonly [AlarmType, AlarmSeverity]>>

/**
 * A policy beyond the 29 netting policies of the interface; created for a tenant when the first of its incidents
 * opens.
 */
const STALE = {
  netting_results_stale: ['custom', 'warning'],
} as const satisfies Readonly<Record<string, readonly [AlarmType, AlarmSeverity]>>

/** Reminders of objections to invoices; created for a tenant with the first of them. */
const OBJECTION = {
  netting_objection_due: ['custom', 'warning'],
} as const satisfies Readonly<Record<string, readonly [AlarmType, AlarmSeverity]>>

/** Policies of charging stations; created for a tenant when the first of their incidents opens. */
const CHARGING = {
  ocpp_security_event: ['custom', 'critical'],
  ocpp_connection_contested: ['custom', 'warning'],
} as const satisfies Readonly<Record<string, readonly [AlarmType, AlarmSeverity]>>

/** The use of the quotas of a tenant; created for a tenant when the first of its incidents opens. */
const QUOTA = {
  tenant_quota_used: ['custom', 'warning'],
} as const satisfies Readonly<Record<string, readonly [AlarmType, AlarmSeverity]>>

/** System alarms that also notify by e-mail: a right is lost when their term ends. */
export const MAILED_POLICIES: readonly SystemPolicyName[] = ['netting_objection_due']

export type RulePolicyName = `netting_rule_${RuleCode}`
export type SystemPolicyName =
  | RulePolicyName
  | keyof typeof NETTING
  | keyof typeof MARKET
  | keyof typeof CHARGING
  | keyof typeof STALE
  | keyof typeof OBJECTION
  | keyof typeof QUOTA

/** The policy of an eligibility rule. */
export const policyOfRule = (code: RuleCode): RulePolicyName => `netting_rule_${code}`

const toPolicies = (
  policies: Readonly<Partial<Record<SystemPolicyName, readonly [AlarmType, AlarmSeverity]>>>,
): SystemPolicy[] =>
  Object.entries(policies).map(([name, [alarmType, severity]]) => ({
    name: name as SystemPolicyName,
    alarmType,
    severity,
  }))

/**
 * The 33 policies of every tenant: one for each eligibility rule, 16 others of netting, 4 of the market
 * platform.
 */
export const SYSTEM_POLICIES: readonly SystemPolicy[] = [
  ...RULES.map(({ code, severity }) => ({
    name: policyOfRule(code),
    alarmType: 'custom' as const,
    severity: SEVERITY_OF_RULE[severity],
  })),
  ...toPolicies(NETTING),
  ...toPolicies(MARKET),
]

/** The policies that a tenant gets with the first of their incidents. */
export const FURTHER_POLICIES: readonly SystemPolicy[] = toPolicies({
  ...{ ...CHARGING, ...STALE },
  ...{ ...QUOTA, ...OBJECTION },
})
