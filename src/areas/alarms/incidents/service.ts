import { found } from '../../../kernel/errors.ts'
import { DAY_MS, iso, parseValidInstant } from '../../../kernel/time.ts'
import { inTenantTx, systemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ALARM_TEXTS } from '../messages.ts'
import { SNOOZE_MAX_MS, WAKE_BATCH } from './limits.ts'
import type { SnoozeBody } from './schema.ts'
import {
  INCIDENT_TRANSITIONS,
  type IncidentAction,
  type IncidentStatus,
  requireTransition,
} from './states.ts'
import * as incidents from './store.ts'

const RESOURCE = 'alarm incident'

export const findIncident = async (db: TenantDb, id: string, now: number) =>
  found(RESOURCE, await incidents.find(db, id, new Date(now)))

/** Counts the open incidents of a tenant, which are all that are not closed. */
export async function countIncidents(db: TenantDb, now: number) {
  const counts = await incidents.countOpen(db, new Date(now))
  const sum = (matches: (row: incidents.OpenCount) => boolean) =>
    counts.filter(matches).reduce((total, { count }) => total + count, 0)
  const ofSeverity = (severity: string) => sum((row) => row.severity === severity)
  const ofStatus = (status: IncidentStatus) => sum((row) => row.status === status)
  return {
    total: sum(() => true),
    by_severity: {
      critical: ofSeverity('critical'),
      warning: ofSeverity('warning'),
      info: ofSeverity('info'),
    },
    by_status: {
      active: ofStatus('active'),
      acknowledged: ofStatus('acknowledged'),
      snoozed: ofStatus('snoozed'),
    },
  }
}

export async function listIncidentEvents(
  db: TenantDb,
  id: string,
  slice: { readonly limit: number; readonly offset: number },
) {
  if (!(await incidents.exists(db, id))) found(RESOURCE, undefined)
  return incidents.listEvents(db, id, slice)
}

/** The end of a snooze; 422 unless the body has exactly one of `until` and `minutes`, within the limits. */
export function snoozeEnd({ until, minutes }: SnoozeBody, now: number): number {
  if (minutes !== undefined && until === undefined) return now + minutes * 60_000
  if (minutes !== undefined || until === undefined)
    throw invalidInput(['body', 'until'], ALARM_TEXTS.SNOOZE_UNTIL_OR_MINUTES())
  const at = parseValidInstant(until).getTime()
  if (at <= now) throw invalidInput(['body', 'until'], ALARM_TEXTS.INSTANT_NOT_IN_FUTURE())
  if (at > now + SNOOZE_MAX_MS)
    throw invalidInput(['body', 'until'], ALARM_TEXTS.INSTANT_TOO_LATE({ days: SNOOZE_MAX_MS / DAY_MS }))
  return at
}

export interface TransitionInput {
  readonly action: Exclude<IncidentAction, 'wake'>
  readonly userId: string
  readonly now: number
  readonly note?: string | null | undefined
  /** End of a snooze, epoch milliseconds. */
  readonly until?: number
}

/**
 * Acknowledges, snoozes or closes an incident for a user, with its event. 404; 409 when the status does not
 * allow it.
 */
export async function transitionIncident(tx: TenantTx, id: string, input: TransitionInput) {
  const { action: move, userId, note, until } = input
  const now = new Date(input.now)
  const before = found(RESOURCE, await incidents.lock(tx, id))
  const status = await wakeIfDue(tx, before, now)
  await incidents.change(tx, id, { status: requireTransition(move, status), ...changedColumns(input, now) })
  await incidents.appendEvent(tx, id, {
    type: INCIDENT_TRANSITIONS[move].event,
    at: now,
    byUser: userId,
    details: { ...(note && { note }), ...(until !== undefined && { until: iso(until) }) },
  })
  return findIncident(tx, id, input.now)
}

type Locked = NonNullable<Awaited<ReturnType<typeof incidents.lock>>>

/** The current status. A snooze that is over ends here first, so that the trail is in order. */
async function wakeIfDue(tx: TenantTx, incident: Locked, now: Date): Promise<IncidentStatus> {
  const { id, snoozed_until: until } = incident
  const status = incident.status as IncidentStatus
  if (status !== 'snoozed' || until === null || until > now) return status
  const cleared = { snoozed_until: null, acknowledged_at: null, acknowledged_by: null }
  await incidents.change(tx, id, { status: requireTransition('wake', status), ...cleared })
  await incidents.appendEvent(tx, id, { type: 'woken', at: until, byUser: null, details: {} })
  return 'active'
}

function changedColumns(
  { action: move, userId, until }: TransitionInput,
  now: Date,
): incidents.IncidentChange {
  if (move === 'close') return { closed_at: now, closed_by: userId, snoozed_until: null }
  if (move === 'snooze') return { snoozed_until: new Date(until ?? now) }
  return { acknowledged_at: now, acknowledged_by: userId, snoozed_until: null }
}

/** The minutely job that ends snoozes; their `woken` events notify people again. */
export async function wakeIncidents(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const tenants = await incidents.listTenantsToWake(systemDb(database.kysely), new Date(clock.now()))
  for (const tenantId of tenants) {
    let woken: number
    do {
      signal.throwIfAborted()
      woken = await inTenantTx(database.kysely, tenantId, (tx) =>
        incidents.wakeDue(tx, new Date(clock.now()), WAKE_BATCH),
      )
    } while (woken === WAKE_BATCH)
  }
}
