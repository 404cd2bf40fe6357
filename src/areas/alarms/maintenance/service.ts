import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { DAY_MS, parseInstant } from '../../../kernel/time.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
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
    throw invalidInput(['body'], 'must name exactly one of policy_id, device_id and subregion_id')
  const from = parseInstant(body.from)?.at ?? now
  const to = parseInstant(body.to)?.at ?? now
  if (to <= from) throw invalidInput(['body', 'to'], 'must be later than from')
  if (to <= now) throw invalidInput(['body', 'to'], 'must not lie in the past')
  if (to - from > MAINTENANCE_MAX_MS)
    throw invalidInput(['body', 'to'], `must not be more than ${MAINTENANCE_MAX_MS / DAY_MS} days after from`)
  if (policyId !== null && !(await findPolicy(tx, policyId))) throw invalidReference('policy_id')
  if ((await countOpenMaintenance(tx, new Date(now))) >= MAINTENANCE_WINDOWS_MAX)
    throw conflict('STATE_CONFLICT', `a tenant has at most ${MAINTENANCE_WINDOWS_MAX} maintenance windows`)
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
