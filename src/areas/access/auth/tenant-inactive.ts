import { AppError } from '../../../kernel/errors.ts'
import type { SystemDb } from '../../../platform/db/tenant.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { isInactiveTenant } from './store.ts'

export const tenantInactive = () => new AppError(401, 'TENANT_INACTIVE', ACCESS_TEXTS.TENANT_INACTIVE())

/** The error for a token without an active user: of an inactive tenant, or of a user that is inactive or deleted. */
export async function refusalOf(system: SystemDb, tenantUid: string): Promise<AppError> {
  if (await isInactiveTenant(system, tenantUid)) return tenantInactive()
  return new AppError(401, 'INVALID_CREDENTIALS', ACCESS_TEXTS.USER_NOT_ACTIVE())
}
