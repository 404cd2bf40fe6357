import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Permission } from '../../kernel/permissions.ts'
import type { ProcessLife } from '../db/process-life.ts'
import type { ReadDatabase } from '../db/replica-reads.ts'
import type { SystemDb, SystemTx, TenantDb, TenantTx } from '../db/tenant.ts'
import type { Deps } from '../runtime/deps.ts'
import type { RateStore } from './rate-store.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The caller, loaded for each request by the subject of the token, or by the API key. */
export interface Principal {
  readonly id: string
  readonly tenantId: number
  readonly tenantUid: string
  readonly permissions: ReadonlySet<Permission>
  /** Always false with an API key. */
  readonly isSuperuser: boolean
  /** Set when the caller uses an API key; `id` is then the owner of the key. */
  readonly apiKeyId?: string
  /** The tenant requires one-time passwords, and the user has none: the user can only set them up. */
  readonly mustEnrolTotp?: boolean
  /**
   * All writes of the user that were answered are committed before this time of the clock of the primary, epoch
   * milliseconds. Absent when there are no read replicas, or the user never wrote.
   */
  readonly wroteUntil?: number
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly deps: Deps
    /** Proves to other processes that this one is alive. */
    readonly life: ProcessLife
    /** Counters of attempts, for limits beyond those of `rate-limit.ts`. */
    readonly rates: RateStore
  }
  interface FastifyRequest {
    /** Set by the access check before the handler of any route that requires a token. */
    principal: Principal
    tenantDb(): TenantDb
    /** The database for the reads of the request: a replica, the node of the tenant, or the primary. */
    readDatabase(): ReadDatabase
    /** The result of `readDatabase`, which is the same for the whole request. */
    chosenDatabase: ReadDatabase | undefined
    tenantTx<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
    systemDb(): SystemDb
    systemTx<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
    /**
     * Hooks that run at the beginning and at the end of the request's transactions; an error rolls the
     * transaction back.
     */
    firstInTx: ((tx: TenantTx | SystemTx) => Promise<void>) | undefined
    lastInTx: ((tx: TenantTx | SystemTx) => Promise<void>) | undefined
  }
}
