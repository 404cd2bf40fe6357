import type { LRUCache } from 'lru-cache'
import {
  type BoundDevice,
  findNamedDevices,
  findRegisterMap,
  findTenantIdByUid,
  type GatewayKey,
  listGatewayDevices,
} from '../../areas/equipment/gateway-link/index.ts'
import { openRegisterMap, type RegisterMap } from '../../core/register-map/index.ts'
import { makeCoalescer } from '../../platform/async/coalesce.ts'
import { makeLru } from '../../platform/async/lru.ts'
import type { Database } from '../../platform/db/pool.ts'
import type { Bus } from '../../platform/messaging/bus.ts'
import {
  MQTT_DIRECTORY_DEVICES_MAX,
  MQTT_DIRECTORY_GATEWAYS_MAX,
  MQTT_DIRECTORY_MISS_MS,
  MQTT_DIRECTORY_MISSES_MAX,
  MQTT_DIRECTORY_TTL_MS,
} from './limits.ts'

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
}

export interface GatewayRef extends GatewayKey {
  /** The prefix of the gateway's topics; empty when no message can be sent to it now. */
  readonly root: string
}

export interface Directory {
  /** Returns the devices synchronously when they are cached. Null: the tenant has no such gateway. */
  devices(ref: GatewayRef): GatewayDevices | null | Promise<GatewayDevices | null>
  /**
   * Looks missing names up in the database, and reads the devices again when one of them has a device by now.
   * A name without a device is not looked up again for MQTT_DIRECTORY_MISS_MS, and in that time not more than
   * MQTT_DIRECTORY_MISSES_MAX names of a gateway.
   */
  refresh(ref: GatewayRef, names: Iterable<string | null>): Promise<GatewayDevices | null>
  tenantId(tenantUid: string): Promise<number | undefined>
}

interface MissingName extends GatewayKey {
  readonly name: string
}

interface Entry {
  readonly tenantId: number
  /** On the monotonic clock, milliseconds. */
  readonly loadedAt: number
  readonly devices: GatewayDevices | null
  readonly deviceCount: number
}

/** Names of a gateway that were looked up in the database and have no device. */
interface Misses {
  /** On the monotonic clock, milliseconds. */
  readonly since: number
  readonly names: Set<string>
}

const makeCache = <V extends object>() => makeLru<V>(MQTT_DIRECTORY_GATEWAYS_MAX)
const keyOf = ({ tenantId, gatewayId }: GatewayKey): string => `${tenantId}/${gatewayId}`
const GATEWAY_SIZE_MIN = MQTT_DIRECTORY_DEVICES_MAX / MQTT_DIRECTORY_GATEWAYS_MAX
const sizeOf = ({ deviceCount }: Entry): number =>
  Math.min(Math.max(deviceCount, GATEWAY_SIZE_MIN), MQTT_DIRECTORY_DEVICES_MAX)
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

/** A name as the database compares it; empty for the gateway itself. */
export const lookUpName = (name: string | null): string => (name ?? '').replaceAll('\0', '\u{fffd}')

/** The negative cache. Returns the names that have to be looked up, and records them as missing until then. */
function makeMisses() {
  const gateways = makeCache<Misses>()
  return {
    add(gatewayId: string, names: Iterable<string | null>): string[] {
      const now = performance.now()
      let misses = gateways.get(gatewayId)
      if (!misses || now - misses.since >= MQTT_DIRECTORY_MISS_MS) {
        misses = { since: now, names: new Set() }
        gateways.set(gatewayId, misses)
      }
      const added: string[] = []
      for (const name of names) {
        if (misses.names.size >= MQTT_DIRECTORY_MISSES_MAX) break
        const text = lookUpName(name)
        if (misses.names.has(text)) continue
        misses.names.add(text)
        added.push(text)
      }
      return added
    },
    forget: (gatewayId: string) => void gateways.delete(gatewayId),
  }
}

/** The register maps of templates with paths of MQTT. */
function makeRegisterMaps(database: Database) {
  const maps = makeCache<{ readonly loadedAt: number; readonly map: RegisterMap | undefined }>()
  /** Counts the calls of `forget`, so that a map that was read before a change is not cached after it. */
  let changes = 0
  return {
    async find(tenantId: number, templateId: string): Promise<RegisterMap | undefined> {
      const key = `${tenantId}/${templateId}`
      const kept = maps.get(key)
      if (kept && performance.now() - kept.loadedAt < MAP_TTL_MS) return kept.map
      const changesBefore = changes
      const stored = await findRegisterMap(database, tenantId, templateId)
      const map = stored === null ? undefined : openRegisterMap(stored)
      const usable = map?.registers.some(({ mqttPath }) => mqttPath !== null) ? map : undefined
      if (changesBefore === changes) maps.set(key, { loadedAt: performance.now(), map: usable })
      return usable
    },
    forget(tenantId: number): void {
      changes += 1
      for (const key of [...maps.keys()]) if (key.startsWith(`${tenantId}/`)) maps.delete(key)
    },
  }
}

/** The devices of gateways by name, cached for a few seconds; a change event removes the entry. */
export function makeDirectory({ database, bus }: { database: Database; bus: Bus }): Directory {
  const gateways = makeLru(MQTT_DIRECTORY_DEVICES_MAX, sizeOf)
  const loading = new Map<string, Promise<GatewayDevices | null>>()
  const maps = makeRegisterMaps(database)
  const tenants = makeCache<{ readonly loadedAt: number; readonly id: number | undefined }>()
  const misses = makeMisses()
  const lookUp = makeCoalescer((names: readonly MissingName[]) => findNamedDevices(database, names))
  bus.on('gateways_changed', (ref) => {
    gateways.delete(ref.gatewayId)
    misses.forget(ref.gatewayId)
    // Requests from before the change still receive this result, later ones do not.
    loading.delete(keyOf(ref))
  })
  bus.on('device_templates_changed', ({ tenantId }) => {
    maps.forget(tenantId)
    for (const key of [...loading.keys()]) if (key.startsWith(`${tenantId}/`)) loading.delete(key)
    const ofTenant = [...gateways.entries()].filter(([, entry]) => entry.tenantId === tenantId)
    for (const [gatewayId] of ofTenant) gateways.delete(gatewayId)
  })

  async function load(ref: GatewayRef): Promise<Entry> {
    const loadedAt = performance.now()
    const bound = await listGatewayDevices(database, ref.tenantId, ref.gatewayId)
    return {
      tenantId: ref.tenantId,
      loadedAt,
      devices: bound ? await describe(ref.tenantId, bound) : null,
      deviceCount: bound?.length ?? 0,
    }
  }

  async function describe(tenantId: number, bound: readonly BoundDevice[]): Promise<GatewayDevices> {
    const templates = new Map<string, RegisterMap | undefined>()
    for (const { templateId } of bound) {
      if (templateId !== null && !templates.has(templateId)) {
        templates.set(templateId, await maps.find(tenantId, templateId))
      }
    }
    const { names, only } = nameDevices(bound, templates)
    return { find: (name) => (name === null ? only : names.get(name)) }
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
    async refresh(ref, missing) {
      const entry = entryOf(gateways, ref)
      if (!entry) return ask(ref)
      const { tenantId, gatewayId } = ref
      const asked = misses.add(gatewayId, missing).map((name) => ({ tenantId, gatewayId, name }))
      if (asked.length === 0) return entry.devices
      const found = await lookUp(asked).catch((error: unknown) => {
        misses.forget(gatewayId)
        throw error
      })
      if (!asked.some((name) => found.has(name))) return entry.devices
      // A read that is in progress may be older than the device. The names stay in the negative cache, which bounds
      // how often the devices of a gateway with too many of them are read.
      loading.delete(keyOf(ref))
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
