import { conflict, found } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { TEMPLATE_TEXTS } from './messages.ts'
import { checkInlineMap, resolveProtocols } from './register-map-check.ts'
import type { CreateDeviceTemplate, UpdateDeviceTemplate } from './schema.ts'
import * as store from './store.ts'

/** Locks a template that the tenant may change. 404 when unknown, 409 for a system template. */
export async function lockOwnTemplate(tx: TenantTx, id: string): Promise<store.TemplateRow> {
  const template = found('device template', await store.lock(tx, id))
  if (template.is_system) throw conflict('STATE_CONFLICT', TEMPLATE_TEXTS.TEMPLATE_IS_SYSTEM())
  return template
}

/** Checks the register map, if any. 409 when the name is taken. */
export function createTemplate(tx: TenantTx, body: CreateDeviceTemplate) {
  const map = body.register_map && checkInlineMap(body.register_map)
  const protocols = resolveProtocols(map, body.protocols)
  return store.create(tx, { ...body, ...(map && { register_map: map }), ...(protocols && { protocols }) })
}

/** 404 when unknown, 409 for a system template. */
export async function updateTemplate(tx: TenantTx, id: string, body: UpdateDeviceTemplate) {
  const before = await lockOwnTemplate(tx, id)
  const map = body.register_map && checkInlineMap(body.register_map)
  const isNewMap = body.register_map !== undefined
  const after = isNewMap ? map : before.register_map
  const protocols = isNewMap || body.protocols ? resolveProtocols(after, body.protocols) : undefined
  const set = { ...body, ...(map && { register_map: map }), ...(protocols && { protocols }) }
  return found('device template', await store.update(tx, id, set))
}

/** 404 when unknown, 409 for a system template or one that devices use. */
export async function removeTemplate(tx: TenantTx, id: string): Promise<void> {
  await lockOwnTemplate(tx, id)
  await store.remove(tx, id)
}
