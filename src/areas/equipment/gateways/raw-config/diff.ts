import { canonicalJson } from './document.ts'

export const CHANGE_KINDS = ['setting', 'device', 'poll_group', 'register', 'map'] as const
type ChangeKind = (typeof CHANGE_KINDS)[number]

export interface ConfigChange {
  readonly kind: ChangeKind
  /** Of a poll group, register or map attribute. */
  readonly template_id: string | null
  /** The device's id, the register's key, or the name of the setting. */
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  /** What of it differs, when it was changed. */
  readonly fields: string[]
}

type Item = Pick<ConfigChange, 'kind' | 'template_id' | 'name'> & { readonly value: unknown }

const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
const partOf = (value: unknown, name: string): unknown => new Map(entries(value)).get(name)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A document as single things that can be compared. */
function* itemsOf(document: unknown): Generator<Item> {
  const gateway = partOf(document, 'gateway')
  for (const [name, value] of entries(gateway)) {
    if (name !== 'config') yield { kind: 'setting', template_id: null, name, value }
  }
  for (const [name, value] of entries(partOf(gateway, 'config')))
    yield { kind: 'setting', template_id: null, name: `config.${name}`, value }
  for (const device of listOf(partOf(document, 'devices')))
    yield { kind: 'device', template_id: null, name: String(partOf(device, 'id')), value: device }
  for (const [template_id, map] of entries(partOf(document, 'maps'))) {
    for (const [name, value] of entries(partOf(map, 'poll_groups')))
      yield { kind: 'poll_group', template_id, name, value }
    for (const register of listOf(partOf(map, 'registers')))
      yield { kind: 'register', template_id, name: String(partOf(register, 'key')), value: register }
    for (const [name, value] of entries(map)) {
      if (name !== 'poll_groups' && name !== 'registers') yield { kind: 'map', template_id, name, value }
    }
  }
}

const keyOf = ({ kind, template_id, name }: Item): string => JSON.stringify([kind, template_id, name])
const itemMap = (document: unknown) => new Map([...itemsOf(document)].map((item) => [keyOf(item), item]))

function changedFields(before: unknown, after: unknown): string[] {
  const names = new Set([...entries(before), ...entries(after)].map(([name]) => name))
  return [...names]
    .filter((name) => canonicalJson(partOf(before, name)) !== canonicalJson(partOf(after, name)))
    .sort()
}

/** What changes from one pushed document to the next; against nothing, everything is added. */
export function diffConfigs(before: unknown, after: unknown): ConfigChange[] {
  const old = itemMap(before)
  const now = itemMap(after)
  const changes: ConfigChange[] = []
  const note = ({ kind, template_id, name }: Item, change: ConfigChange['change'], fields: string[] = []) =>
    changes.push({ kind, template_id, name, change, fields })
  for (const [key, item] of now) {
    const was = old.get(key)
    if (!was) note(item, 'added')
    else if (canonicalJson(was.value) !== canonicalJson(item.value))
      note(item, 'changed', changedFields(was.value, item.value))
  }
  for (const [key, item] of old) if (!now.has(key)) note(item, 'removed')
  return changes
}
