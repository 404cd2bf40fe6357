import type { Operation } from './document.ts'

/** A record that a response has shown: its id, and the ids of the records in whose path it lies. */
export interface KnownRecord {
  readonly params: Readonly<Record<string, string>>
  readonly id: string
}

/** Where the records of a field or of a path are created, when the name does not contain it. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  policy_id: '/api/alarms',
  template_id: '/api/devices/device-templates',
  mqtt_gateway_id: '/api/gateways',
  parent_id: '/api/devices',
  firmware_version_id: '/api/firmware/versions',
  batch_id: '/api/ota/batches',
  source_account_id: '/api/mahsuplasma/limits/accounts',
  target_account_id: '/api/mahsuplasma/limits/accounts',
  osos_installation_id: '/api/osos/installations',
  metering_point_id: '/api/mahsuplasma/facilities/{id}/meters',
  tag_ids: '/api/ocpp/id-tags',
  // Not an address: the texts of the tags.
  id_tag: 'texts of id tags',
  grid_operator_id: '/api/mahsuplasma/organizations',
  distribution_company_id: '/api/mahsuplasma/organizations',
  retail_or_zone_operator_id: '/api/mahsuplasma/organizations',
  meter_reading_org_id: '/api/mahsuplasma/organizations',
  supplier_id: '/api/mahsuplasma/organizations',
  responsible_supplier_id: '/api/mahsuplasma/organizations',
}
/** Paths whose POST creates records of another collection. */
const CREATED_AT: Readonly<Record<string, string>> = {
  '/api/mahsuplasma/meters/assign': '/api/mahsuplasma/meters/assignments',
  '/api/v1/zigbee/claims/generate': '/api/v1/zigbee/claims',
  '/api/v1/zigbee/claims/pending': '/api/v1/zigbee/claims',
  '/api/v1/zigbee/gateways': '/api/gateways',
  '/api/ota/updates/batch': '/api/ota/batches',
  '/api/measurements/export': '/api/measurements/exports',
  '/api/devices/device-templates/import': '/api/devices/device-templates',
  '/api/users/invitations': '',
}
/** Paths below which the records of another collection are addressed. */
const ADDRESSED_AT: Readonly<Record<string, string>> = {
  '/api/v1/zigbee/gateways': '/api/gateways',
  '/api/ocpp/charging-profiles': '/api/ocpp/chargers/{id}/charging-profiles',
  '/api/mahsuplasma/meters': '/api/mahsuplasma/facilities/{id}/meters',
  '/api/measurements/devices': '/api/devices',
}
const RECORDS_PER_COLLECTION = 40

const singular = (word: string): string => word.replaceAll('-', '_').replace(/ies$/, 'y').replace(/s$/, '')
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const commonLength = (a: string, b: string): number => {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

export interface Pool {
  /** The records of the collection that the last id of a path addresses. */
  ofPath(path: string): readonly KnownRecord[]
  /** The records that a field such as `device_id` or `role_ids` refers to. */
  ofField(field: string, path: string): readonly KnownRecord[]
  /** Forgets a record that was deleted. */
  forget(path: string, id: string): void
  /** Remembers the records of a successful response. */
  learn(operation: Operation, params: Readonly<Record<string, string>>, body: unknown): void
}

/** Returns the collection in which the last id of a path is looked up. */
export function collectionOf(path: string): string {
  const collection = path.slice(0, path.lastIndexOf('/{'))
  return ADDRESSED_AT[collection] ?? collection
}

/**
 * The ids that responses have shown, by collection path, so that later requests address existing records. The oldest
 * are forgotten. `isProtected`: ids that no request may use, such as the users of the run.
 */
export function makePool(operations: readonly Operation[], isProtected: (id: string) => boolean): Pool {
  const records = new Map<string, KnownRecord[]>()
  const collections = [
    ...new Set(operations.filter(({ path }) => path.includes('/{')).map(({ path }) => collectionOf(path))),
  ]
  const recordsOf = (collection: string): readonly KnownRecord[] => records.get(collection) ?? []

  function add(collection: string, record: KnownRecord): void {
    if (isProtected(record.id)) return
    const list = records.get(collection) ?? []
    if (list.some(({ id }) => id === record.id)) return
    records.set(collection, [...list, record].slice(-RECORDS_PER_COLLECTION))
  }

  function ofField(field: string, path: string): readonly KnownRecord[] {
    const known = COLLECTIONS[field]
    if (known !== undefined) return recordsOf(known)
    const name = field.replace(/_ids?$/, '')
    const matching = collections.filter((collection) => {
      const last = singular(collection.split('/').at(-1) ?? '')
      return name === last || name.endsWith(`_${last}`) || last.endsWith(`_${name}`)
    })
    const best = matching.sort((a, b) => commonLength(b, path) - commonLength(a, path))[0]
    return best === undefined ? [] : recordsOf(best)
  }

  return {
    ofPath: (path) => recordsOf(collectionOf(path)),
    ofField,
    forget(path, id) {
      const collection = collectionOf(path)
      records.set(
        collection,
        recordsOf(collection).filter((record) => record.id !== id),
      )
    },
    learn({ path }, params, body) {
      const target = CREATED_AT[path] ?? path
      if (target.endsWith('}')) return
      const list = Array.isArray(body) ? body : ((body as { items?: unknown } | null)?.items ?? [body])
      for (const item of Array.isArray(list) ? list : []) {
        const fields = Object.entries((item ?? {}) as Record<string, unknown>)
        for (const [name, value] of fields) {
          if (typeof value !== 'string') continue
          if (name === 'id' && UUID.test(value)) add(target, { params, id: value })
          if (name === 'tag') add(COLLECTIONS['id_tag'] ?? '', { params, id: value })
        }
      }
    },
  }
}
