import { LRUCache } from 'lru-cache'
import {
  type BoundDevice,
  findRegisterMap,
  findTenantIdByUid,
  listGatewayDevices,
} from '../../areas/equipment/gateway-link/index.ts'
import { openRegisterMap, type RegisterMap } from '../../core/register-map/index.ts'
import type { Database } from '../../platform/db/pool.ts'
import type { Bus } from '../../platform/messaging/bus.ts'
import { MQTT_DIRECTORY_GATEWAYS_MAX, MQTT_DIRECTORY_MISS_MS, MQTT_DIRECTORY_TTL_MS } from './limits.ts'

export interface KnownDevice {
  readonly id: string
  /** The device's integer key in the sample tables. */
  readonly key: number
  /** Reads the device's JSON by its template's `mqtt_path`s; undefined without one. */
  readonly map: RegisterMap | undefined
}

/** The devices of one gateway, by every name that a message may use for them. */
export interface GatewayDevices {
  /** null: the sender itself, which is the gateway's only device. */
  find(name: string | null): KnownDevice | undefined
  readonly isFresh: (now: number) => boolean
}

export interface GatewayRef {
  readonly tenantId: number
  readonly gatewayId: string
  /** The prefix of the gateway's topics; empty when no message can be sent to it now. */
  readonly root: string
}

export interface Directory {
  /** Returns the devices synchronously when they are cached. Null: the tenant has no such gateway. */
  devices(ref: GatewayRef): GatewayDevices | null | Promise<GatewayDevices | null>
  /**
   * Reads the devices again, because a name was missing or an id wrong; not more often than every
   * MQTT_DIRECTORY_MISS_MS.
   */
  refresh(ref: GatewayRef): Promise<GatewayDevices | null>
  tenantId(tenantUid: string): Promise<number | undefined>
}

interface Entry {
  readonly tenantId: number
  /** On the monotonic clock, milliseconds. */
  readonly loadedAt: number
  readonly devices: GatewayDevices | null
}

const makeCache = <V extends object>() => new LRUCache<string, V>({ max: MQTT_DIRECTORY_GATEWAYS_MAX })
const MAP_TTL_MS = 3 * MQTT_DIRECTORY_TTL_MS

/** The names of a gateway's devices, in their order of precedence: id, external ids, name. The oldest device wins. */
function nameDevices(bound: readonly BoundDevice[], maps: ReadonlyMap<string, RegisterMap | undefined>) {
  const known = bound.map((device) => ({
    device,
    known: {
      id: device.id,
      key: device.key,
      map: device.templateId === null ? undefined : maps.get(device.templateId),
    },
  }))
  const names = new Map<string, KnownDevice>()
  const add = (name: string, device: KnownDevice) => {
    if (!names.has(name)) names.set(name, device)
  }
  for (const { device, known: one } of known) add(device.id, one)
  for (const { device, known: one } of known) for (const name of device.externalIds) add(name, one)
  for (const { device, known: one } of known) add(device.name, one)
  return { names, only: known.length === 1 ? known[0]?.known : undefined }
}

/**
 * Keyed by the gateway alone, because a key of tenant and gateway would have to be concatenated for every
 * message.
 */
function entryOf(gateways: LRUCache<string, Entry>, { tenantId, gatewayId }: GatewayRef): Entry | undefined {
  const entry = gateways.get(gatewayId)
  return entry?.tenantId === tenantId ? entry : undefined
}

/** The devices of gateways by name, cached for a few seconds; a change event removes the entry. */
export function makeDirectory({ database, bus }: { database: Database; bus: Bus }): Directory {
  const gateways = makeCache<Entry>()
  const loading = new Map<string, Promise<GatewayDevices | null>>()
  const maps = makeCache<{ readonly loadedAt: number; readonly map: RegisterMap | undefined }>()
  const tenants = makeCache<{ readonly loadedAt: number; readonly id: number | undefined }>()
  const keyOf = ({ tenantId, gatewayId }: Pick<GatewayRef, 'tenantId' | 'gatewayId'>): string =>
    `${tenantId}/${gatewayId}`
  bus.on('gateways_changed', (ref) => {
    gateways.delete(ref.gatewayId)
    // Requests from before the change still receive this result, later ones do not.
    loading.delete(keyOf(ref))
  })

  async function mapOf(tenantId: number, templateId: string): Promise<RegisterMap | undefined> {
    const key = `${tenantId}/${templateId}`
    const kept = maps.get(key)
    if (kept && performance.now() - kept.loadedAt < MAP_TTL_MS) return kept.map
    const stored = await findRegisterMap(database, tenantId, templateId)
    const map = stored === null ? undefined : openRegisterMap(stored)
    const usable = map?.registers.some(({ mqttPath }) => mqttPath !== null) ? map : undefined
    maps.set(key, { loadedAt: performance.now(), map: usable })
    return usable
  }

  async function load(ref: GatewayRef): Promise<Entry> {
    const loadedAt = performance.now()
    const bound = await listGatewayDevices(database, ref.tenantId, ref.gatewayId)
    return {
      tenantId: ref.tenantId,
      loadedAt,
      devices: bound ? await describe(ref.tenantId, bound, loadedAt) : null,
    }
  }

  async function describe(
    tenantId: number,
    bound: readonly BoundDevice[],
    loadedAt: number,
  ): Promise<GatewayDevices> {
    const templates = new Map<string, RegisterMap | undefined>()
    for (const { templateId } of bound) {
      if (templateId !== null && !templates.has(templateId)) {
        templates.set(templateId, await mapOf(tenantId, templateId))
      }
    }
    const { names, only } = nameDevices(bound, templates)
    return {
      find: (name) => (name === null ? only : names.get(name)),
      isFresh: (now) => now - loadedAt < MQTT_DIRECTORY_MISS_MS,
    }
  }

  /** One read at a time for each gateway, however many messages wait for it. */
  function ask(ref: GatewayRef): Promise<GatewayDevices | null> {
    const key = keyOf(ref)
    const known = loading.get(key)
    if (known !== undefined) return known
    const isLast = (): boolean => loading.get(key) === loaded
    const loaded = load(ref)
      .then((entry) => {
        if (isLast()) gateways.set(ref.gatewayId, entry)
        return entry.devices
      })
      .finally(() => isLast() && loading.delete(key))
    // Not every caller awaits the promise: without this handler a failure would end the process.
    loaded.catch(() => {})
    loading.set(key, loaded)
    return loaded
  }

  return {
    devices(ref) {
      const entry = entryOf(gateways, ref)
      const age = entry ? performance.now() - entry.loadedAt : Number.POSITIVE_INFINITY
      if (!entry || age >= MQTT_DIRECTORY_TTL_MS) return ask(ref)
      // The entry is refreshed before it expires, so that a gateway that keeps sending never waits. A failure
      // is thrown only when no entry is left.
      if (age >= MQTT_DIRECTORY_TTL_MS / 2 && !loading.has(keyOf(ref))) ask(ref).catch(() => {})
      return entry.devices
    },
    refresh(ref) {
      const entry = entryOf(gateways, ref)
      if (entry && performance.now() - entry.loadedAt < MQTT_DIRECTORY_MISS_MS)
        return Promise.resolve(entry.devices)
      return ask(ref)
    },
    async tenantId(tenantUid) {
      const kept = tenants.get(tenantUid)
      if (kept && performance.now() - kept.loadedAt < MAP_TTL_MS) return kept.id
      const id = await findTenantIdByUid(database, tenantUid)
      tenants.set(tenantUid, { loadedAt: performance.now(), id })
      return id
    },
  }
}
