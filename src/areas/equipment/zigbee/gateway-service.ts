import { found } from '../../../kernel/errors.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { readNewestSamples } from '../../metering/samples/index.ts'
import { listPaired } from './device-store.ts'
import * as gateways from './gateway-store.ts'
import type { ZigbeeDeviceQuery } from './schema.ts'

interface Order {
  readonly gatewayId: string
  readonly query: ZigbeeDeviceQuery
}

/** One page of devices paired with a gateway; 404 when the gateway is unknown. */
export async function listDevices(deps: Deps, tenant: TenantDb, { gatewayId, query }: Order) {
  const now = deps.clock.now()
  found('gateway', await gateways.find(tenant, gatewayId, new Date(now)))
  const page = await listPaired(tenant, gatewayId, query)
  const keys = page.items.flatMap(({ key }) => (key === null ? [] : [key]))
  const samples =
    keys.length === 0
      ? []
      : await readNewestSamples(deps.database.pool, {
          tenantId: tenant.tenantId,
          deviceKeys: keys,
          from: now - DAY_MS,
          perDevice: 1,
        })
  const qualities = new Map(samples.map(({ deviceKey, values }) => [deviceKey, values['linkquality']]))
  const items = page.items.map(({ key, is_supported, is_available, ...device }) => ({
    ...device,
    supported: is_supported,
    availability: is_available === null ? null : is_available ? 'online' : 'offline',
    linkquality: (key === null ? undefined : qualities.get(key)) ?? null,
  }))
  return { ...page, items }
}
