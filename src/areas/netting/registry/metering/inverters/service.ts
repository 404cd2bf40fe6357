import { AppError, unprocessable } from '../../../../../kernel/errors.ts'
import type { TenantDb, TenantTx } from '../../../../../platform/db/tenant.ts'
import { NETTING_ERRORS } from '../../../shared/index.ts'
import { INVERTER_TYPES, suggestInverterType } from './inverter-type-rules.ts'
import type { ApplyInverterTypes, SuggestionQuery } from './schema.ts'
import * as store from './store.ts'

/** Returns the inverters whose vendor and model determine their type; the others are omitted. */
export async function listSuggestions(tenant: TenantDb, { limit, offset, search }: SuggestionQuery) {
  const inverters = await store.listInverters(tenant, search)
  const all = inverters.flatMap(({ id, name, inverter_type, vendor, model }) => {
    const suggestion = suggestInverterType({ vendor, model })
    if (!suggestion) return []
    const { inverterType: suggested_inverter_type, source } = suggestion
    return [
      { device_id: id, device_name: name, vendor, model, inverter_type, suggested_inverter_type, source },
    ]
  })
  return { items: all.slice(offset, offset + limit), total: all.length }
}

/**
 * Sets the types of all devices or of none. Throws 422 for a device that is named twice or is no inverter,
 * and 404 with missing_device_ids.
 */
export async function applyInverterTypes(tx: TenantTx, { items: sent }: ApplyInverterTypes) {
  const items = sent.map((item) => ({ ...item, device_id: item.device_id.toLowerCase() }))
  const ids = items.map(({ device_id }) => device_id)
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
  if (twice.length > 0) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.DEVICE_NAMED_TWICE(), {
      duplicate_device_ids: twice,
    })
  }
  const devices = new Map((await store.lockDevices(tx, ids)).map((device) => [device.id, device]))
  const missing = ids.filter((id) => !devices.has(id))
  if (missing.length > 0) {
    const extra = { missing_device_ids: missing }
    throw new AppError(404, 'RESOURCE_NOT_FOUND', NETTING_ERRORS.DEVICE_NOT_FOUND(), { extra })
  }
  const others = ids.filter((id) => devices.get(id)?.device_role !== 'inverter')
  if (others.length > 0) {
    const text = NETTING_ERRORS.INVERTER_TYPE_NEEDS_INVERTER()
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { device_ids: others })
  }
  for (const type of INVERTER_TYPES) {
    const wanted = items.filter((item) => item.inverter_type === type).map(({ device_id }) => device_id)
    await store.setInverterType(tx, wanted, type)
  }
  return { updated: items.length, items }
}
