import { AppError, found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import { insertable } from '../../../platform/db/columns.ts'
import type { JsonObject } from '../../../platform/db/json-columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { freeFormFault } from '../../../platform/http/json-text.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { METADATA_KEYS_MAX } from '../limits.ts'
import { DEVICE_TEXTS } from './messages.ts'
import type { CreateDevice, UpdateDevice } from './schema.ts'
import * as store from './store.ts'

const writable = [
  'name',
  'device_type',
  'device_role',
  'device_source',
  'gateway_id',
  'mqtt_gateway_id',
  'slave_id',
  'parent_id',
  'inverter_type',
  'reporting_interval_s',
  'offline_threshold_s',
] as const

function toColumns(body: UpdateDevice): store.DeviceColumns {
  const template = body.template_id === undefined ? {} : { template_id: body.template_id || null }
  return { ...insertable(body, writable), ...template }
}

async function checkGateway(
  tx: TenantTx,
  field: 'gateway_id' | 'mqtt_gateway_id',
  id: string | null | undefined,
) {
  if (!id) return
  const gateway = await store.findGatewayType(tx, id)
  if (!gateway) throw invalidReference(field)
  const isModbus = gateway.gateway_type === 'modbus'
  if (isModbus !== (field === 'gateway_id') || gateway.gateway_type === 'home_assistant') {
    throw unprocessable(
      'BUSINESS_RULE_VIOLATION',
      DEVICE_TEXTS.DEVICE_GATEWAY_TYPE({ field, gateway_type: gateway.gateway_type }),
      {
        field,
      },
    )
  }
}

async function checkReferences(tx: TenantTx, set: store.DeviceColumns): Promise<void> {
  await checkGateway(tx, 'gateway_id', set.gateway_id)
  await checkGateway(tx, 'mqtt_gateway_id', set.mqtt_gateway_id)
  if (set.template_id && !(await store.findTemplateProtocols(tx, set.template_id)))
    throw invalidReference('template_id')
}

async function checkParent(
  tx: TenantTx,
  id: string | undefined,
  parentId: string | null | undefined,
): Promise<void> {
  if (!parentId) return
  const ancestors = await store.listAncestors(tx, parentId)
  if (ancestors.length === 0) throw invalidReference('parent_id')
  if (id !== undefined && ancestors.includes(id)) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', DEVICE_TEXTS.DEVICE_BELOW_ITSELF(), {
      field: 'parent_id',
    })
  }
}

function checkInverter(device: { device_role?: string | null; inverter_type?: string | null }): void {
  if (device.inverter_type && device.device_role !== 'inverter') {
    throw unprocessable('BUSINESS_RULE_VIOLATION', DEVICE_TEXTS.DEVICE_NOT_INVERTER())
  }
}

/** A device on a message broker needs a template that can be read over MQTT or Zigbee. */
async function checkMqttTemplate(
  tx: TenantTx,
  id: string,
  before: MqttBinding,
  after: MqttBinding,
): Promise<void> {
  if (!after.mqtt_gateway_id) return
  const template = after.template_id ? await store.findTemplateProtocols(tx, after.template_id) : undefined
  if (template?.protocols.some((protocol) => protocol === 'mqtt' || protocol === 'zigbee')) return
  const message = template ? DEVICE_TEXTS.DEVICE_TEMPLATE_NOT_MQTT() : DEVICE_TEXTS.DEVICE_TEMPLATE_NEEDED()
  const extra = { device_id: id, current_template_id: before.template_id }
  throw new AppError(422, 'MQTT_TEMPLATE_REQUIRED', message, { extra, shape: 'flat' })
}
type MqttBinding = Pick<store.DeviceColumns, 'mqtt_gateway_id' | 'template_id'>

/**
 * Returns the new id. 422 for a reference that does not exist or does not fit. Only chargers have a
 * `subregionId` of their own.
 */
export async function createDevice(
  tx: TenantTx,
  body: CreateDevice,
  subregionId: string | null = null,
): Promise<string> {
  const set = { ...toColumns(body), subregion_id: subregionId }
  await checkReferences(tx, set)
  await checkParent(tx, undefined, set.parent_id)
  checkInverter(set)
  const { name, device_type } = body
  const values = { ...set, name, device_type, device_source: body.device_source ?? 'manual' }
  const { id } = await store.create(tx, values, body.extra_metadata ?? {})
  return id
}

/**
 * Absent or null leaves the metadata unchanged, an empty object clears it, other keys are merged. 422 when
 * the result is too large.
 */
function mergeStoredMetadata(
  stored: JsonObject,
  sent: UpdateDevice['extra_metadata'],
): JsonObject | undefined {
  if (sent === undefined || sent === null) return undefined
  if (Object.keys(sent).length === 0) return {}
  const merged = { ...stored, ...sent }
  const fault =
    Object.keys(merged).length > METADATA_KEYS_MAX
      ? DEVICE_TEXTS.DEVICE_METADATA_KEYS({ max: METADATA_KEYS_MAX })
      : freeFormFault(merged)
  if (fault !== undefined) throw invalidInput(['body', 'extra_metadata'], fault)
  return merged
}

/** Merges keys into extra_metadata, on behalf of another module. */
export async function mergeMetadata(tx: TenantTx, id: string, keys: Record<string, unknown>): Promise<void> {
  const before = await store.lock(tx, id)
  if (before) await store.update(tx, id, {}, mergeStoredMetadata(before.extra_metadata, keys))
}

/** The source of a charger's device stays `ocpp`, because its measurements come from the charging station. */
async function checkSource(tx: TenantTx, id: string, source: string | undefined): Promise<void> {
  if (source === undefined || source === 'ocpp' || !(await store.belongsToCharger(tx, id))) return
  throw unprocessable('BUSINESS_RULE_VIOLATION', DEVICE_TEXTS.DEVICE_SOURCE_OCPP(), {
    field: 'device_source',
  })
}

/** Partial update; the rules apply to the resulting state. 404 when unknown. */
export async function updateDevice(tx: TenantTx, id: string, body: UpdateDevice): Promise<void> {
  if (body.parent_id) await store.lockTree(tx)
  const before = found('device', await store.lock(tx, id))
  const set = toColumns(body)
  const after = { ...before, ...set }
  await checkReferences(tx, set)
  await checkParent(tx, id, set.parent_id)
  checkInverter(after)
  await checkSource(tx, id, set.device_source)
  if (set.template_id !== undefined || set.mqtt_gateway_id !== undefined) {
    await checkMqttTemplate(tx, id, before, after)
  }
  await store.update(tx, id, set, mergeStoredMetadata(before.extra_metadata, body.extra_metadata))
}
