import type { FastifyRequest } from 'fastify'
import { inSystemTx, inTenantTx, type SystemTx, systemDb, type TenantTx, tenantDb } from '../db/tenant.ts'
import type { Deps } from '../runtime/deps.ts'
import type { App } from './app-type.ts'

/**
 * Runs the work of a request between its header hooks: If-Match is compared first, an Idempotency-Key is
 * marked last.
 */
async function inOrder<Tx extends TenantTx | SystemTx, T>(
  request: FastifyRequest,
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  await request.firstInTx?.(tx)
  const result = await work(tx)
  await request.lastInTx?.(tx)
  return result
}

/**
 * Adds the database of the caller's tenant to every request, and system access only where the route
 * requests it.
 */
export function addDatabase(app: App, deps: Deps): void {
  const { kysely } = deps.database
  app.decorate('deps', deps)
  app.decorateRequest('principal')
  app.decorateRequest('firstInTx', undefined)
  app.decorateRequest('lastInTx', undefined)
  app.decorateRequest('tenantDb', function (this: FastifyRequest) {
    return tenantDb(kysely, this.principal.tenantId)
  })
  app.decorateRequest('tenantTx', function <T>(this: FastifyRequest, work: (tx: TenantTx) => Promise<T>) {
    return inTenantTx(kysely, this.principal.tenantId, (tx) => inOrder(this, tx, work))
  })
  app.decorateRequest('systemDb', () => systemDb(kysely))
  app.decorateRequest('systemTx', function <T>(this: FastifyRequest, work: (tx: SystemTx) => Promise<T>) {
    return inSystemTx(kysely, (tx) => inOrder(this, tx, work))
  })
}
