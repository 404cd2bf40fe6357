import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { DAY_MS, parseInstant } from '../../../kernel/time.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { ALARM_TEXTS } from '../messages.ts'
import { findPolicy } from '../policies/index.ts'
import { MAINTENANCE_MAX_MS, MAINTENANCE_WINDOWS_MAX } from './limits.ts'
import type { CreateMaintenance } from './schema.ts'
import { countOpenMaintenance, createMaintenance } from './store.ts'

export interface CreateWindowInput {
  readonly body: CreateMaintenance
  readonly userId: string
  readonly now: number
}

/**
 * Creates a window. Throws 422 unless the request names exactly one scope and an end in the future, at most a
 * year after the start.
 */
export async function createWindow(tx: TenantTx, { body, userId, now }: CreateWindowInput) {
  const { policy_id: policyId = null, device_id: deviceId = null, subregion_id: subregionId = null } = body
  if ([policyId, deviceId, subregionId].filter((id) => id !== null).length !== 1)
    throw invalidInput(['body'], ALARM_TEXTS.MAINTENANCE_ONE_TARGET())
  const from = parseInstant(body.from)?.at ?? now
  const to = parseInstant(body.to)?.at ?? now
  if (to <= from) throw invalidInput(['body', 'to'], ALARM_TEXTS.MAINTENANCE_TO_BEFORE_FROM())
  if (to <= now) throw invalidInput(['body', 'to'], ALARM_TEXTS.MAINTENANCE_IN_PAST())
  if (to - from > MAINTENANCE_MAX_MS)
    throw invalidInput(
      ['body', 'to'],
      ALARM_TEXTS.MAINTENANCE_TOO_LONG({ days: MAINTENANCE_MAX_MS / DAY_MS }),
    )
  if (policyId !== null && !(await findPolicy(tx, policyId))) throw invalidReference('policy_id')
  if ((await countOpenMaintenance(tx, new Date(now))) >= MAINTENANCE_WINDOWS_MAX)
    throw conflict('STATE_CONFLICT', ALARM_TEXTS.MAINTENANCE_LIMIT_REACHED({ max: MAINTENANCE_WINDOWS_MAX }))
  return createMaintenance(tx, {
    policy_id: policyId,
    device_id: deviceId,
    subregion_id: subregionId,
    from_at: new Date(from),
    to_at: new Date(to),
    note: body.note ?? null,
    created_by: userId,
    created_at: new Date(now),
  })
}
