import { conflict, found } from '../../kernel/errors.ts'
import type { TenantTx } from '../../platform/db/tenant.ts'
import type { UpdateDeviceTemplate } from './schema.ts'
import * as store from './store.ts'

async function ownTemplate(tx: TenantTx, id: string): Promise<void> {
  const { is_system } = found('device template', await store.find(tx, id))
  if (is_system) throw conflict('STATE_CONFLICT', 'a system template cannot be changed or deleted')
}

/** 404 when unknown, 409 for a system template. */
export async function updateTemplate(tx: TenantTx, id: string, body: UpdateDeviceTemplate) {
  await ownTemplate(tx, id)
  return found('device template', await store.update(tx, id, body))
}

/** 404 when unknown, 409 for a system template or one that devices use. */
export async function removeTemplate(tx: TenantTx, id: string): Promise<void> {
  await ownTemplate(tx, id)
  await store.remove(tx, id)
}
