import { conflict, found, invalidReference } from '../../../../kernel/errors.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import type { Config } from '../../../../platform/settings/config.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import { ESCALATION_POLICIES_MAX } from '../limits.ts'
import * as policies from './policy-store.ts'
import type { CreateEscalationPolicy, EscalationLevel, UpdateEscalationPolicy } from './schema.ts'

const RESOURCE = 'escalation policy'
const REFERENCE_FIELDS = ['user_id', 'role_id', 'channel_id'] as const

/** The settings on which the permitted recipients depend. */
export type PolicyRules = Pick<Config, 'tenantSignupEnabled'>

/** Throws 422 when the levels contradict each other or refer to records that do not exist. */
async function checkLevels(
  db: TenantDb,
  levels: readonly EscalationLevel[],
  { tenantSignupEnabled }: PolicyRules,
): Promise<void> {
  let before = -1
  for (const [index, { delay_minutes, recipients }] of levels.entries()) {
    const path = ['body', 'levels', index]
    if (delay_minutes <= before)
      throw invalidInput([...path, 'delay_minutes'], ALARM_TEXTS.ESCALATION_DELAY_NOT_LATER())
    before = delay_minutes
    for (const [at, recipient] of recipients.entries())
      if (Object.values(recipient).filter((value) => value !== undefined).length !== 1)
        throw invalidInput([...path, 'recipients', at], ALARM_TEXTS.ESCALATION_ONE_RECIPIENT())
  }
  if (tenantSignupEnabled) await refuseForeignAddresses(db, levels)
  for (const field of REFERENCE_FIELDS) {
    const ids = levels.flatMap(({ recipients }) => recipients.flatMap((recipient) => recipient[field] ?? []))
    const existing = await policies.existingIds(db, field, ids)
    if (ids.some((id) => !existing.has(id.toLowerCase()))) throw invalidReference(field)
  }
}

/**
 * Where anybody can create a tenant, its mails go to verified addresses of its users only (ADR 0059): otherwise
 * alarms could be used to send mails to strangers.
 */
async function refuseForeignAddresses(db: TenantDb, levels: readonly EscalationLevel[]): Promise<void> {
  const addresses = levels.flatMap(({ recipients }) => recipients.flatMap(({ email }) => email ?? []))
  const verified = await policies.verifiedAddresses(db, addresses)
  for (const [index, { recipients }] of levels.entries())
    for (const [at, { email }] of recipients.entries())
      if (email !== undefined && !verified.has(email.toLowerCase()))
        throw invalidInput(
          ['body', 'levels', index, 'recipients', at, 'email'],
          ALARM_TEXTS.ESCALATION_ADDRESS_NOT_VERIFIED(),
        )
}

function checkRepeat(count: number, minutes: number | null): void {
  if (count > 0 && minutes === null)
    throw invalidInput(['body', 'repeat_minutes'], ALARM_TEXTS.ESCALATION_REPEAT_MINUTES())
}

type Defaults = Awaited<ReturnType<typeof policies.lockDefaults>>

function refuseSecondDefault(others: Defaults, severities: readonly string[] | undefined): void {
  const taken = severities?.find((severity) =>
    others.some((other) => other.default_severities.includes(severity)),
  )
  if (taken !== undefined)
    throw conflict('STATE_CONFLICT', ALARM_TEXTS.ESCALATION_DEFAULT_EXISTS({ severity: taken }))
}

export const getPolicy = async (db: TenantDb, id: string) =>
  found(RESOURCE, await policies.findPolicy(db, id))

export async function createPolicy(
  tx: TenantTx,
  body: CreateEscalationPolicy,
  { at, rules }: { readonly at: number; readonly rules: PolicyRules },
) {
  await checkLevels(tx, body.levels, rules)
  checkRepeat(body.repeat_count ?? 0, body.repeat_minutes ?? null)
  const others = await policies.lockDefaults(tx)
  if (others.length >= ESCALATION_POLICIES_MAX)
    throw conflict('STATE_CONFLICT', ALARM_TEXTS.ESCALATION_LIMIT_REACHED({ max: ESCALATION_POLICIES_MAX }))
  refuseSecondDefault(others, body.default_severities)
  return policies.insertPolicy(tx, body, new Date(at))
}

/** Changes a policy. Running escalations continue with the changed levels. */
export async function updatePolicy(
  tx: TenantTx,
  id: string,
  {
    body,
    at,
    rules,
  }: { readonly body: UpdateEscalationPolicy; readonly at: number; readonly rules: PolicyRules },
) {
  const all = await policies.lockDefaults(tx)
  const before = await getPolicy(tx, id)
  if (body.levels) await checkLevels(tx, body.levels, rules)
  const minutes = body.repeat_minutes === undefined ? before.repeat_minutes : body.repeat_minutes
  checkRepeat(body.repeat_count ?? before.repeat_count, minutes)
  refuseSecondDefault(
    all.filter((policy) => policy.id !== before.id),
    body.default_severities,
  )
  return found(RESOURCE, await policies.updatePolicy(tx, id, { values: body, at: new Date(at) }))
}

/** Deletes a policy that no alarm policy names; its running escalations end. */
export async function removePolicy(tx: TenantTx, id: string): Promise<void> {
  found(RESOURCE, await policies.removePolicy(tx, id))
}

export async function listMessages(
  db: TenantDb,
  incidentId: string,
  slice: { readonly limit: number; readonly offset: number },
) {
  found('incident', await policies.incidentExists(db, incidentId))
  return policies.listMessages(db, incidentId, slice)
}
