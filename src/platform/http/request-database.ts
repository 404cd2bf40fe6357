import type { FastifyRequest } from 'fastify'
import { iso } from '../../kernel/time.ts'
import { makeProcessLife } from '../db/process-life.ts'
import type { ReadDatabase } from '../db/replica-reads.ts'
import { inSystemTx, inTenantTx, type SystemTx, systemDb, type TenantTx, tenantDb } from '../db/tenant.ts'
import { type Actor, runAs } from '../runtime/actor.ts'
import type { Deps } from '../runtime/deps.ts'
import type { App, Principal } from './app-type.ts'

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
  const life = makeProcessLife(deps.database)
  app.decorate('life', life)
  app.addHook('onClose', async () => life.end())
  app.decorateRequest('principal')
  app.decorateRequest('firstInTx', undefined)
  app.decorateRequest('lastInTx', undefined)
  app.decorateRequest('chosenDatabase', undefined)
  app.decorateRequest('readDatabase', function (this: FastifyRequest): ReadDatabase {
    this.chosenDatabase ??= chooseDatabase(this, deps)
    return this.chosenDatabase
  })
  app.decorateRequest('tenantDb', function (this: FastifyRequest) {
    const tenant = tenantDb(this.readDatabase().kysely, this.principal.tenantId)
    return { ...tenant, keepsSingleTablePlans: deps.nodeReads?.planCache() === 'single-table' }
  })
  app.decorateRequest('tenantTx', function <T>(this: FastifyRequest, work: (tx: TenantTx) => Promise<T>) {
    return inTenantTx(kysely, this.principal.tenantId, (tx) => inOrder(this, tx, work))
  })
  nameActors(app)
  app.decorateRequest('systemDb', () => systemDb(kysely))
  app.decorateRequest('systemTx', function <T>(this: FastifyRequest, work: (tx: SystemTx) => Promise<T>) {
    return inSystemTx(kysely, (tx) => inOrder(this, tx, work))
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The reads of the route may use a replica: `onReplicas`. */
    readsReplica?: boolean
  }
}

/** Lets the reads of the GET routes of a module use a replica. */
export const onReplicas =
  (routes: (scope: App) => void) =>
  (scope: App): void => {
    scope.addHook('onRoute', (route) => {
      if (route.method === 'GET') route.config = { ...route.config, readsReplica: true }
    })
    routes(scope)
  }

/** A replica where the route may use one; otherwise the node of the tenant for a request that only reads. */
function chooseDatabase(request: FastifyRequest, { replicas, nodeReads, database }: Deps): ReadDatabase {
  if (replicas && request.routeOptions.config.readsReplica === true)
    return replicas.forReader(request.principal.wroteUntil)
  return nodeReads && isRead(request) ? nodeReads.forTenant(request.principal.tenantId) : database
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** Before a write is answered, its user is recorded as one whose reads need a database with that write. */
export function recordWrites(app: App, record: (principal: Principal) => Promise<void>): void {
  app.addHook('onSend', async (request) => {
    const principal: Principal | undefined = request.principal
    if (principal && !isRead(request)) await record(principal)
  })
}

/** Runs the handlers of requests that may change something in the name of their callers. */
function nameActors(app: App): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (isRead(request)) return done()
    return runAs(actorOf(request, app.deps.clock.now()), done)
  })
}

function actorOf(request: FastifyRequest, now: number): Actor {
  const principal: Principal | undefined = request.principal
  const { operationId } = (request.routeOptions.schema ?? {}) as { operationId?: string }
  return {
    ...(principal ? { kind: 'user', user_id: principal.id } : { kind: 'anonymous' }),
    ...(principal?.apiKeyId && { api_key_id: principal.apiKeyId }),
    operation: operationId ?? '',
    request_id: request.id,
    ip: request.ip,
    at: iso(now),
  }
}
