import { AppError, found } from '../../../kernel/errors.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import { inTenantTx, type TenantDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { messageOf } from '../../../platform/observability/error-text.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readNewestSamples } from '../../metering/samples/index.ts'
import { GATEWAY_TEXTS } from '../messages.ts'
import { listPaired } from './device-store.ts'
import * as gateways from './gateway-store.ts'
import type { UpdateZigbeeGateway, ZigbeeDeviceQuery } from './schema.ts'

interface ListInput {
  readonly gatewayId: string
  readonly query: ZigbeeDeviceQuery
}

/** One page of devices paired with a gateway; 404 when the gateway is unknown. */
export async function listDevices(deps: Deps, tenant: TenantDb, { gatewayId, query }: ListInput) {
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

interface Caller {
  readonly deps: Deps
  readonly principal: Principal
}

/** Requests zigbee2mqtt to let devices join. `value` is the parameter of versions before 2. */
async function permitJoin({ broker }: Deps, { tenantUid }: Principal, gatewayId: string, seconds: number) {
  const topic = `ems/v1/${tenantUid}/${gatewayId}/zigbee2mqtt/bridge/request/permit_join`
  try {
    await broker.publish(topic, JSON.stringify({ value: seconds > 0, time: seconds }))
  } catch (error) {
    throw new AppError(
      503,
      'BROKER_UNAVAILABLE',
      GATEWAY_TEXTS.BROKER_DID_NOT_ACCEPT({ reason: messageOf(error) }),
    )
  }
}

/** 404 when unknown, 409 for a taken name, 503 when the broker does not accept the permit_join request. */
export async function updateGateway(
  caller: Caller,
  work: <T>(change: (tx: TenantTx) => Promise<T>) => Promise<T>,
  { id, body }: { readonly id: string; readonly body: UpdateZigbeeGateway },
) {
  const { deps, principal } = caller
  const now = () => new Date(deps.clock.now())
  const updated = await work(async (tx) => {
    found('gateway', await gateways.find(tx, id, now()))
    await gateways.update(tx, id, body)
    return found('gateway', await gateways.find(tx, id, now()))
  })
  const { permit_join_s: seconds } = body
  if (seconds === undefined) return updated
  await permitJoin(deps, principal, id, seconds)
  const until = seconds > 0 ? new Date(deps.clock.now() + seconds * 1000) : null
  await inTenantTx(deps.database.kysely, principal.tenantId, (tx) =>
    gateways.upsertDetails(tx, id, { permit_join_until: until }),
  )
  const tenant = tenantDb(deps.database.kysely, principal.tenantId)
  return found('gateway', await gateways.find(tenant, id, now()))
}
