import type { TenantNodes } from './distribution/tenant-nodes.ts'

/**
 * The items of each tenant, in the order of the ids. A batch of several tenants is written tenant by tenant, because a
 * distributed database sends a statement about one tenant to one node (ADR 0103).
 */
export function byTenant<T extends { readonly tenantId: number }>(items: readonly T[]): [number, T[]][] {
  return [...groupBy(items, ({ tenantId }) => tenantId)].sort(([one], [other]) => one - other)
}

/**
 * The items grouped by the node of their tenants, for one statement each. A tenant whose node is not known yet is a
 * part of its own; on plain PostgreSQL all items are one part after the first look-up.
 */
export const byNode = <T extends { readonly tenantId: number }>(
  items: readonly T[],
  { nodeOf }: Pick<TenantNodes, 'nodeOf'>,
): T[][] => [...groupBy(items, ({ tenantId }) => nodeOf(tenantId)).values()]

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const own = groups.get(key)
    if (own) own.push(item)
    else groups.set(key, [item])
  }
  return groups
}
