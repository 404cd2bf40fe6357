import type { ClientBase, PoolConfig } from 'pg'
import { hasCitus } from './distribution/cluster.ts'

/**
 * The names of statements, for each new connection of a pool (`onConnect`).
 *
 * Purpose. A statement with a name is prepared once by each connection, so that the server may keep its plan. A
 * distributed database must not keep plans of statements on distributed tables: on the node of the rows Citus 13.2
 * makes a further plan with each execution of a generic one, and keeps it until the connection ends, 50 kB each
 * (citusdata/citus, pull request 8824). There names are left out, and each execution is planned.
 *
 * Alternative. `plan_cache_mode = force_custom_plan` has the same effect on these statements, but also on those by
 * which the server checks foreign keys: it then plans a query for each written row (ADR 0162).
 */
export function omitNamesOnCitus(): NonNullable<PoolConfig['onConnect']> {
  /** Undefined until the first connection has asked. */
  let isCluster: boolean | undefined
  return async (client) => {
    isCluster ??= await hasCitus(client)
    if (isCluster) omitNames(client)
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
