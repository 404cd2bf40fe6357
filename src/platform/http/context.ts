import type { FastifyRequest } from 'fastify'
import { inSystemTx, inTenantTx, type SystemTx, systemDb, type TenantTx, tenantDb } from '../db/tenant.ts'
import type { Deps } from '../deps.ts'
import type { App } from './app-type.ts'

/** Gives every request its tenant's database, and nothing wider unless the route asks for the system's. */
export function giveDatabase(app: App, deps: Deps): void {
  const { kysely } = deps.database
  app.decorate('deps', deps)
  app.decorateRequest('principal')
  app.decorateRequest('tenantDb', function (this: FastifyRequest) {
    return tenantDb(kysely, this.principal.tenantId)
  })
  app.decorateRequest('tenantTx', function <T>(this: FastifyRequest, work: (tx: TenantTx) => Promise<T>) {
    return inTenantTx(kysely, this.principal.tenantId, work)
  })
  app.decorateRequest('systemDb', () => systemDb(kysely))
  app.decorateRequest('systemTx', <T>(work: (tx: SystemTx) => Promise<T>) => inSystemTx(kysely, work))
}
