import { isDeepStrictEqual } from 'node:util'
import type { Message } from '../../../kernel/messages.ts'
import type { AlarmPayload } from '../incidents/index.ts'
import type { AlarmSeverity, SystemPolicyName } from './system-policies.ts'

/** An alarm condition that holds. */
export interface Raise {
  readonly policy: SystemPolicyName
  /** The subject of the alarm, such as `group:<id>`. A policy and cause have at most one open incident. */
  readonly cause: string
  /** The severity of the policy when absent. */
  readonly severity?: AlarmSeverity | undefined
  readonly message: string
  /** A decimal text. */
  readonly lastValue?: string | undefined
  readonly payload: AlarmPayload
}

/** An alarm condition that no longer holds. */
export interface Clear {
  readonly policy: SystemPolicyName
  readonly cause: string
  readonly reason: Message
}

export type PlannedChange = (Raise & { readonly isOpen: true }) | (Clear & { readonly isOpen: false })

export interface OpenIncident {
  readonly id: string
  readonly policy: SystemPolicyName
  readonly policySeverity: AlarmSeverity
  readonly cause: string
  readonly severity: AlarmSeverity
  readonly message: string
  readonly lastValue: string | null
  readonly payload: AlarmPayload
}

export interface Update extends Raise {
  readonly id: string
  readonly severity: AlarmSeverity
  readonly severityBefore: AlarmSeverity
}

/** The writes that bring the open incidents into agreement with the changes. */
export interface AlarmPlan {
  readonly raises: readonly Raise[]
  readonly updates: readonly Update[]
  readonly closes: readonly (Clear & { readonly id: string })[]
}

const keyOf = ({ policy, cause }: Pick<Clear, 'policy' | 'cause'>): string => `${policy}\n${cause}`

/**
 * Plans the writes for changes. The last of several changes of one policy and cause counts. An open incident
 * without a difference is not changed, so planning again after applying the plan yields an empty plan.
 */
export function planAlarms(changes: readonly PlannedChange[], open: readonly OpenIncident[]): AlarmPlan {
  const incidents = new Map(open.map((incident) => [keyOf(incident), incident]))
  const newest = new Map(changes.map((change) => [keyOf(change), change]))
  const raises: Raise[] = []
  const updates: Update[] = []
  const closes: (Clear & { id: string })[] = []
  for (const [key, change] of newest) {
    const incident = incidents.get(key)
    if (!change.isOpen) {
      if (incident) closes.push({ ...change, id: incident.id })
    } else if (!incident) raises.push(change)
    else if (!isUnchanged(change, incident)) updates.push(updateOf(change, incident))
  }
  return { raises, updates, closes }
}

const updateOf = (change: Raise, { id, severity: severityBefore, policySeverity }: OpenIncident): Update => ({
  ...change,
  id,
  severity: change.severity ?? policySeverity,
  severityBefore,
})

const isUnchanged = (change: Raise, incident: OpenIncident): boolean =>
  change.message === incident.message &&
  (change.severity ?? incident.policySeverity) === incident.severity &&
  sameNumber(change.lastValue, incident.lastValue) &&
  isDeepStrictEqual(change.payload, incident.payload)

/** Compares decimals by value: `5.000` equals `5.000000`. */
const sameNumber = (a: string | undefined, b: string | null): boolean =>
  a === undefined || b === null ? (a ?? null) === b : Number(a) === Number(b)

export const isEmpty = ({ raises, updates, closes }: AlarmPlan): boolean =>
  raises.length + updates.length + closes.length === 0
