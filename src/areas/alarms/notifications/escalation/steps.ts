/**
 * The timetable of escalations. `incident_escalation` holds the next step of each incident; a step writes the messages
 * of its level and the next step in one transaction, so a level is neither lost nor written twice when a process dies.
 * Times are those of the service's clock. After a downtime every missed level is processed once, in its sequence.
 */
import { inTenantTx, type TenantTx } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { ESCALATION_STEPS, ESCALATION_TARGETS_MAX } from '../limits.ts'
import { DELIVERY_TEXTS } from '../messages.ts'
import { type EscalationPolicyRow, findPolicies } from './policy-store.ts'
import * as store from './step-store.ts'

type StepDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>

/** Processes the due steps of the tenants. A failure in one tenant does not affect the others. */
export async function runEscalations(
  deps: StepDeps,
  tenantIds: readonly number[],
  isStopped: () => boolean,
): Promise<void> {
  const { config, database, clock, log } = deps
  for (const tenantId of tenantIds) {
    if (isStopped()) return
    const now = clock.now()
    try {
      let steps: number
      do {
        if (isStopped()) return
        steps = await inTenantTx(database.kysely, tenantId, (tx) =>
          runSteps(tx, { now, sendsMails: config.smtpUrl !== undefined }),
        )
      } while (steps > 0)
    } catch (error) {
      log.error({ err: error, tenantId }, 'the escalations of a tenant could not be processed')
    }
  }
}

interface StepContext {
  readonly now: number
  readonly sendsMails: boolean
}

async function runSteps(tx: TenantTx, { now, sendsMails }: StepContext): Promise<number> {
  const steps = await store.lockDueSteps(tx, { now: new Date(now), limit: ESCALATION_STEPS })
  if (steps.length === 0) return 0
  const found = await findPolicies(
    tx,
    steps.map((step) => step.escalation_policy_id),
  )
  const policies = new Map(found.map((policy) => [policy.id, policy]))
  const users = await store.eligibleUsers(tx)
  const messages: store.NewMessage[] = []
  const next: store.NextStep[] = []
  const ended: string[] = []
  for (const step of steps) {
    const policy = policies.get(step.escalation_policy_id)
    const level = policy?.levels[step.level]
    if (!policy?.is_active || !level || step.status !== 'active') {
      ended.push(step.incident_id)
      continue
    }
    messages.push(...messagesOf(step, policy, { users, sendsMails }))
    const following = nextStep(step, policy, now)
    if (following) next.push(following)
    else ended.push(step.incident_id)
  }
  await store.insertMessages(tx, messages, new Date(now))
  await store.scheduleNext(tx, next)
  await store.endEscalations(tx, ended)
  return steps.length
}

const MINUTE_MS = 60_000

/** The next level, the next repetition of the last level, or undefined at the end. */
function nextStep(
  { incident_id, started_at, level, repetition }: store.DueStep,
  { levels, repeat_count, repeat_minutes }: EscalationPolicyRow,
  now: number,
): store.NextStep | undefined {
  const following = levels[level + 1]
  if (following) {
    const due_at = new Date(started_at.getTime() + following.delay_minutes * MINUTE_MS)
    return { incident_id, level: level + 1, repetition: 0, due_at }
  }
  if (repeat_minutes === null || repetition >= repeat_count) return undefined
  return {
    ...{ incident_id, level, repetition: repetition + 1 },
    due_at: new Date(now + repeat_minutes * MINUTE_MS),
  }
}

interface Recipients {
  readonly users: readonly store.EligibleUser[]
  readonly sendsMails: boolean
}

/** The messages of a level, one for each recipient; roles are replaced by their users. */
function messagesOf(
  step: store.DueStep,
  policy: EscalationPolicyRow,
  { users, sendsMails }: Recipients,
): store.NewMessage[] {
  const { incident_id, started_at, level, repetition } = step
  const base = { incident_id, started_at, level, repetition, language: policy.language }
  const nobody = { user_id: null, channel_id: null, email: null }
  const waiting = { ...base, ...nobody, status: 'waiting', error: null } as const
  const byTarget = new Map<string, store.NewMessage>()
  const add = (message: store.NewMessage) => {
    if (byTarget.size < ESCALATION_TARGETS_MAX && !byTarget.has(message.target))
      byTarget.set(message.target, message)
  }
  const addUser = (id: string) => {
    const user = users.find((candidate) => candidate.id === id)
    const isReachable = user && (!sendsMails || user.is_email_verified)
    add({
      ...{ ...waiting, target: `user:${id}`, user_id: id },
      ...(!isReachable && {
        status: 'skipped',
        error: DELIVERY_TEXTS.ESCALATION_USER_NOT_REACHED(),
      }),
    })
  }
  for (const { user_id, role_id, channel_id, email } of policy.levels[step.level]?.recipients ?? []) {
    if (user_id) addUser(user_id)
    if (role_id) for (const user of users) if (user.role_ids.includes(role_id)) addUser(user.id)
    if (channel_id) add({ ...waiting, target: `channel:${channel_id}`, channel_id })
    if (email) add({ ...waiting, target: `email:${email.toLowerCase()}`, email: email.toLowerCase() })
  }
  return [...byTarget.values()]
}
