import { found } from '../../../../kernel/errors.ts'
import type { Queryable } from '../../../../platform/db/rows.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type ConsumptionTotals, readConsumption } from '../../../metering/aggregates/index.ts'
import { DEVICE_TREE_DEPTH_MAX, DEVICE_TREE_MAX, ENERGY_CHILDREN_MAX } from '../../limits.ts'
import type { ConsumptionQuery, EnergyConsumption, TreeNode } from './schema.ts'
import { listChildNames, readAncestors, readDescendants, type TreeRow } from './store.ts'

interface TreeRequest {
  readonly id: string
  readonly maxDepth: number
  readonly now: Date
}

/** Reads the tree below a device and its ancestors. 404 when unknown. */
export async function readHierarchy(db: TenantDb, { id, maxDepth, now }: TreeRequest) {
  // One level and one device more than the response holds show whether it is truncated.
  const below = { id, depthMax: maxDepth + 1, rowsMax: DEVICE_TREE_MAX + 2 }
  const above = { id, depthMax: DEVICE_TREE_DEPTH_MAX, rowsMax: DEVICE_TREE_DEPTH_MAX }
  const [rows, ancestors] = await Promise.all([
    readDescendants(db, below, now),
    readAncestors(db, above, now),
  ])
  const top = found('device', rows[0])
  const { root, total } = buildTree(top, rows.slice(1, DEVICE_TREE_MAX + 1), maxDepth)
  return { ...root, ancestors, total, is_truncated: total < rows.length - 1 }
}

/**
 * Builds the tree from rows ordered by level, so that each row finds its parent. A repeated device is
 * skipped.
 */
function buildTree(top: TreeRow, rows: readonly TreeRow[], maxDepth: number) {
  const root: TreeNode = { ...top, children: [] }
  const nodes = new Map([[top.id, { node: root, depth: 0 }]])
  for (const row of rows) {
    const parent = nodes.get(row.parent_id ?? '')
    if (!parent || parent.depth >= maxDepth || nodes.has(row.id)) continue
    const node: TreeNode = { ...row, children: [] }
    parent.node.children.push(node)
    nodes.set(row.id, { node, depth: parent.depth + 1 })
  }
  return { root, total: nodes.size - 1 }
}

export interface ConsumptionRequest {
  readonly deviceId: string
  readonly query: ConsumptionQuery
  readonly now: number
}

/** Energy totals of a device and, with `include_children`, of its direct children. */
export async function readEnergyConsumption(
  pool: Queryable,
  tenant: TenantDb,
  { deviceId, query: { include_children: withChildren, ...query }, now }: ConsumptionRequest,
): Promise<EnergyConsumption> {
  // The device and its children share one end time, also when the range ends now.
  const request = { ...query, tenantId: tenant.tenantId, now }
  const own = await readConsumption(pool, { ...request, deviceId })
  const response = {
    device_id: deviceId.toLowerCase(),
    interval: query.interval,
    ...own,
    data: [...own.data],
  }
  if (!withChildren) return response
  const names = await listChildNames(tenant, deviceId, ENERGY_CHILDREN_MAX + 1)
  const children: { device_id: string; device_name: string; totals: ConsumptionTotals }[] = []
  for (const { id, name } of names.slice(0, ENERGY_CHILDREN_MAX)) {
    const { totals } = await readConsumption(pool, { ...request, deviceId: id })
    children.push({ device_id: id, device_name: name, totals })
  }
  const childrenWh = sumInWh(children.map(({ totals }) => totals.consumption_kwh))
  const ownWh = sumInWh([own.totals.consumption_kwh])
  return {
    ...response,
    children,
    children_consumption_kwh: childrenWh === null ? null : childrenWh / 1000,
    not_submetered_kwh: childrenWh === null || ownWh === null ? null : (ownWh - childrenWh) / 1000,
    children_truncated: names.length > ENERGY_CHILDREN_MAX,
  }
}

/** Sums in whole Wh, so that the result is exact; null when all values are null. */
const sumInWh = (kwh: readonly (number | null)[]): number | null =>
  kwh.reduce<number | null>(
    (all, value) => (value === null ? all : (all ?? 0) + Math.round(value * 1000)),
    null,
  )
