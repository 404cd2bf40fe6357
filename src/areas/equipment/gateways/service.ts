import type { TenantTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { literalAddress } from '../../../platform/net/address-policy.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { GATEWAY_TEXTS } from '../messages.ts'
import type { CreateGateway, UpdateGateway } from './schema.ts'
import { isFieldAddress } from './settings.ts'
import * as gateways from './store.ts'

type Configured = Pick<Deps, 'config' | 'clock'>

/**
 * 422 for a literal address outside the allowed networks. A name is checked only when it is connected to,
 * because its addresses may change.
 */
function checkHost({ config }: Configured, host: string): void {
  const literal = literalAddress(host)
  if (literal !== undefined && !isFieldAddress(config, literal))
    throw invalidInput(['body', 'host'], GATEWAY_TEXTS.GATEWAY_HOST_NOT_ALLOWED())
}

const isConnectedTo = (type: string): boolean => type === 'modbus'

export function createGateway(deps: Configured, tx: TenantTx, body: CreateGateway) {
  if (typeof body.host === 'string' && isConnectedTo(body.gateway_type)) checkHost(deps, body.host)
  return gateways.create(tx, body, new Date(deps.clock.now()))
}

/** Undefined for an unknown gateway. */
export async function updateGateway(
  deps: Configured,
  tx: TenantTx,
  { id, body }: { readonly id: string; readonly body: UpdateGateway },
) {
  const row = await gateways.update(tx, id, body, new Date(deps.clock.now()))
  if (row && typeof body.host === 'string' && isConnectedTo(row.gateway_type)) checkHost(deps, body.host)
  return row
}
