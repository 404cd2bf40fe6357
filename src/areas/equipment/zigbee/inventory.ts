import { ZIGBEE_DEVICES_MAX } from '../../../kernel/limits.ts'
import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import { unstorableIn, unwritableIn } from '../../../platform/http/json-text.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { mayAddDevice } from '../../access/quotas/index.ts'
import { createDevice, mergeMetadata } from '../devices/index.ts'
import type { GatewayReport, ReportedDevice } from '../gateways/index.ts'
import { METADATA_KEYS_MAX } from '../limits.ts'
import * as store from './device-store.ts'
import * as gateways from './gateway-store.ts'
import { ZIGBEE_EXPOSES_BYTES_MAX } from './limits.ts'

/** Reports of one gateway that are not stored yet, merged into one update. */
export interface PendingUpdate {
  readonly tenantId: number
  readonly gatewayId: string
  ieeeAddress?: string
  inventory?: { readonly devices: readonly ReportedDevice[]; readonly isWhole: boolean; readonly at: number }
  readonly availability: Map<string, boolean>
}

/**
 * Merges a report into the pending update: newer values win, and a complete inventory replaces a partial one.
 */
export function mergeMessage(pending: PendingUpdate, message: GatewayReport): void {
  const { status, inventory, availability = [], isInventoryWhole = false, receivedAt } = message
  if (status?.ieeeAddress !== undefined) pending.ieeeAddress = status.ieeeAddress.toLowerCase()
  if (inventory && (isInventoryWhole || !pending.inventory?.isWhole)) {
    pending.inventory = { devices: inventory, isWhole: isInventoryWhole, at: receivedAt }
  }
  for (const { device, isOnline } of availability) {
    if (pending.availability.size < ZIGBEE_DEVICES_MAX) pending.availability.set(device, isOnline)
  }
}

function toStorableExposes(exposes: unknown): unknown {
  if (exposes === undefined || unwritableIn(exposes) !== undefined) return null
  const json = JSON.stringify(exposes)
  return json.length <= ZIGBEE_EXPOSES_BYTES_MAX && unstorableIn(json) === undefined ? exposes : null
}

/** One entry per address; the last one wins. */
function toPairedDevices(devices: readonly ReportedDevice[]): store.PairedDevice[] {
  const paired = new Map<string, store.PairedDevice>()
  for (const { device, ieeeAddress, vendor, model, isSupported, exposes } of devices) {
    if (ieeeAddress === undefined) continue
    const address = ieeeAddress.toLowerCase()
    paired.set(address, {
      ieee_address: address,
      friendly_name: device,
      vendor: vendor ?? null,
      model: model ?? null,
      is_supported: isSupported === true,
      exposes: toStorableExposes(exposes),
    })
  }
  return [...paired.values()].slice(0, ZIGBEE_DEVICES_MAX)
}

/** The existing record of a device: by its address, else by one of its names. */
function findRecord(
  records: readonly store.DeviceRecord[],
  { ieee_address, friendly_name }: store.PairedDevice,
): store.DeviceRecord | undefined {
  const byAddress = records.find(
    (record) => String(record.extra_metadata['ieee_address']).toLowerCase() === ieee_address,
  )
  if (byAddress) return byAddress
  const isFree = (record: store.DeviceRecord) => record.extra_metadata['ieee_address'] === undefined
  return (
    records.find((record) => isFree(record) && record.extra_metadata['external_id'] === friendly_name) ??
    records.find((record) => isFree(record) && record.name === friendly_name)
  )
}

/** Nesting limit; zigbee2mqtt nests features less deeply. */
const EXPOSES_DEPTH_MAX = 5

const MEASURED: ReadonlySet<string> = new Set(['energy', 'power', 'produced_energy', 'power_phase_a'])

type Expose = Readonly<Record<string, unknown>>

function* entriesOf(exposes: unknown, depth = 0): Generator<Expose> {
  if (!Array.isArray(exposes) || depth > EXPOSES_DEPTH_MAX) return
  for (const expose of exposes) {
    if (typeof expose !== 'object' || expose === null) continue
    yield expose as Expose
    yield* entriesOf((expose as Expose)['features'], depth + 1)
  }
}

/** Derives the device_type from the `exposes` of zigbee2mqtt. */
function deviceTypeOf(exposes: unknown): 'smart_plug' | 'energy_analyzer' | 'sensor' {
  let measures = false
  let switches = false
  for (const { type, property } of entriesOf(exposes)) {
    if (type === 'switch') switches = true
    if (typeof property === 'string' && MEASURED.has(property)) measures = true
  }
  if (!measures) return 'sensor'
  return switches ? 'smart_plug' : 'energy_analyzer'
}

async function createRecord(tx: TenantTx, gatewayId: string, device: store.PairedDevice): Promise<string> {
  const { vendor, model, friendly_name: name, ieee_address, exposes } = device
  const template = vendor !== null && model !== null ? await store.findTemplate(tx, vendor, model) : undefined
  return createDevice(tx, {
    name,
    device_type: deviceTypeOf(exposes),
    device_source: 'zigbee',
    mqtt_gateway_id: gatewayId,
    template_id: template?.id ?? null,
    extra_metadata: {
      ieee_address,
      external_id: name,
      ...(vendor !== null && { vendor }),
      ...(model !== null && { model }),
    },
  })
}

/** Updates the names of a device that was renamed in zigbee2mqtt. */
async function updateNames(
  tx: TenantTx,
  record: store.DeviceRecord,
  device: store.PairedDevice,
): Promise<void> {
  const metadata = record.extra_metadata
  const names = { ieee_address: device.ieee_address, external_id: device.friendly_name }
  const isKnown = Object.entries(names).every(([key, value]) => metadata[key] === value)
  if (isKnown || Object.keys({ ...metadata, ...names }).length > METADATA_KEYS_MAX) return
  await mergeMetadata(tx, record.id, names)
}

/**
 * Creates a record for every device that zigbee2mqtt supports, except for records that a user has deleted.
 */
async function syncRecords(
  tx: TenantTx,
  gatewayId: string,
  { paired, now, deps }: { paired: readonly store.PairedDevice[]; now: Date; deps: Pick<Deps, 'config'> },
) {
  const known = new Map(
    (await store.upsertPaired(tx, gatewayId, { devices: paired, now })).map((row) => [
      row.ieee_address,
      row.device_id,
    ]),
  )
  const records = await store.listRecords(tx, gatewayId)
  for (const device of paired) {
    const { ieee_address: ieeeAddress } = device
    const own = known.get(ieeeAddress) ?? null
    const record = own === null ? findRecord(records, device) : records.find(({ id }) => id === own)
    if (record) await updateNames(tx, record, device)
    if (own !== null || (!record && !device.is_supported)) continue
    // Beyond the quota the device has no record; a later inventory creates it when there is room again.
    if (!record && !(await mayAddDevice(deps, tx))) continue
    const deviceId = record?.id ?? (await createRecord(tx, gatewayId, device))
    await store.linkDevice(tx, gatewayId, { ieeeAddress, deviceId })
  }
}

async function applyInventory(
  tx: TenantTx,
  { gatewayId, inventory }: PendingUpdate,
  {
    takenAt: storedAt,
    now,
    deps,
  }: { readonly takenAt: Date | null; readonly now: Date; readonly deps: Pick<Deps, 'config'> },
): Promise<boolean> {
  if (!inventory || (storedAt !== null && storedAt.getTime() > inventory.at)) return false
  const paired = toPairedDevices(inventory.devices)
  if (inventory.isWhole)
    await store.removeUnlisted(
      tx,
      gatewayId,
      paired.map(({ ieee_address }) => ieee_address),
    )
  else if ((await store.countPaired(tx, gatewayId)) + paired.length > ZIGBEE_DEVICES_MAX) return false
  await syncRecords(tx, gatewayId, { paired, now, deps })
  await gateways.upsertDetails(tx, gatewayId, { inventory_at: new Date(inventory.at) })
  return true
}

/**
 * Stores an update of a Zigbee gateway and emits `gateways_changed` and `devices_named` when its devices may have
 * changed.
 */
export async function applyUpdate(deps: Deps, update: PendingUpdate): Promise<void> {
  const { database, clock, bus } = deps
  const { tenantId, gatewayId, ieeeAddress, availability } = update
  const now = new Date(clock.now())
  const hasChanged = await inTenantTx(database.kysely, tenantId, async (tx) => {
    const gateway = await store.lockGateway(tx, gatewayId)
    if (!gateway) return false
    if (ieeeAddress !== undefined) await gateways.upsertDetails(tx, gatewayId, { ieee_address: ieeeAddress })
    const isApplied = await applyInventory(tx, update, { takenAt: gateway.inventory_at, now, deps })
    if (availability.size > 0) await store.updateAvailability(tx, gatewayId, availability)
    return isApplied
  })
  if (!hasChanged) return
  bus.emit('gateways_changed', { tenantId, gatewayId })
  bus.emit('devices_named', { tenantId, gatewayId })
}
