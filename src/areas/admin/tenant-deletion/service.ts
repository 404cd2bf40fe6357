import { conflict, found } from '../../../kernel/errors.ts'
import { inSystemTx } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { DELETION_TEXTS } from './messages.ts'
import * as store from './store.ts'

interface Request {
  /** The id of the tenant in the API. */
  readonly id: string
  /** The name by which the caller confirms the deletion. */
  readonly name: string
  readonly principal: Pick<Principal, 'id' | 'tenantId'>
}

/**
 * Requests the deletion of a deactivated tenant, which the job `delete-tenants` does. A repeated request returns the
 * same record. 409 for an active tenant and for the caller's own.
 */
export const requestDeletion = (deps: Deps, { id, name, principal }: Request) =>
  inSystemTx(deps.database.kysely, async (tx) => {
    const tenant = found('tenant', await store.lockTenant(tx, id))
    if (tenant.key === principal.tenantId)
      throw conflict('STATE_CONFLICT', DELETION_TEXTS.TENANT_DELETION_OF_OWN())
    if (name !== tenant.name)
      throw invalidInput(['query', 'name'], DELETION_TEXTS.TENANT_DELETION_NAME_DIFFERS())
    if (tenant.is_active) throw conflict('STATE_CONFLICT', DELETION_TEXTS.TENANT_DELETION_OF_ACTIVE())
    if (tenant.deletion_requested_at === null) {
      const email = await store.emailOf(tx, principal.tenantId, principal.id)
      await store.insert(tx, { tenant, by: { id: principal.id, email }, at: new Date(deps.clock.now()) })
    }
    return found('tenant deletion', await store.findOfTenant(tx, tenant.key))
  })
