import type { TenantNodes } from './distribution/tenant-nodes.ts'

/**
 * The items of each tenant, in the order of the ids. A batch of several tenants is written tenant by tenant, because a
 * distributed database sends a statement about one tenant to one node (ADR 0103).
 */
export function byTenant<T extends { readonly tenantId: number }>(items: readonly T[]): [number, T[]][] {
  const tenants = new Map<number, T[]>()
  for (const item of items) {
    const own = tenants.get(item.tenantId)
    if (own) own.push(item)
    else tenants.set(item.tenantId, [item])
  }
  return [...tenants].sort(([one], [other]) => one - other)
}

/**
 * The items grouped by the node of their tenants, for one statement each. A tenant whose node is not known yet is a
 * part of its own; on plain PostgreSQL all items are one part after the first look-up.
 */
export function byNode<T extends { readonly tenantId: number }>(
  items: Iterable<T>,
  { nodeOf }: Pick<TenantNodes, 'nodeOf'>,
): T[][] {
  const parts = new Map<number, T[]>()
  for (const item of items) {
    const node = nodeOf(item.tenantId)
    const own = parts.get(node)
    if (own) own.push(item)
    else parts.set(node, [item])
  }
  return [...parts.values()]
}
