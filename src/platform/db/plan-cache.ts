import type { ClientBase, PoolConfig } from 'pg'
import { type PlanCache, planCacheOf } from './distribution/cluster.ts'

/**
 * Makes the `onConnect` hook of a pool, which prevents the server from keeping too many plans.
 *
 * Purpose. A statement with a name is prepared once by each connection, so that the server may keep its plan. Some
 * distributed databases must not keep plans of statements on distributed tables (`planCacheOf`).
 *
 * Modes, for connections to such a database only.
 * - Names are left out, and each execution is parsed and planned.
 * - For reads: names are kept, which saves the parsing, and each execution is planned (`force_custom_plan`). The
 *   setting also applies to the queries by which the server checks foreign keys; with it a write would plan such a
 *   query for each row (ADR 0162).
 *
 * Each new connection to Citus asks for the version and the shards, because an update, a moved shard or another server
 * at the address may have changed them; a pool that has found plain PostgreSQL does not ask again.
 */
export function limitPlanCache({
  isForReads,
}: {
  readonly isForReads: boolean
}): NonNullable<PoolConfig['onConnect']> {
  let cache: PlanCache | undefined
  return async (client) => {
    if (cache === 'all') return
    cache = await planCacheOf(client)
    if (cache !== 'none') return
    if (isForReads) await client.query('set plan_cache_mode = force_custom_plan')
    else omitNames(client)
  }
}

function omitNames(client: ClientBase): void {
  const { prototype } = client.constructor as { readonly prototype: ClientBase }
  const unnamed = (...[statement, ...others]: readonly unknown[]): unknown =>
    Reflect.apply(prototype.query, client, [
      isNamed(statement) ? { ...statement, name: undefined } : statement,
      ...others,
    ])
  Object.assign(client, { query: unnamed })
}

/** A statement that executes itself by `submit`, such as a COPY, has no name. */
const isNamed = (statement: unknown): statement is { readonly name: string } =>
  typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
