import { canonicalJson } from './document.ts'

export const CHANGE_KINDS = ['setting', 'device', 'poll_group', 'register', 'map'] as const
type ChangeKind = (typeof CHANGE_KINDS)[number]

export interface ConfigChange {
  readonly kind: ChangeKind
  /** Set for poll groups, registers and map attributes. */
  readonly template_id: string | null
  /** Device id, register key, or name of the setting. */
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Names of the fields that differ; only for `changed`. */
  readonly fields: string[]
}

type Item = Pick<ConfigChange, 'kind' | 'template_id' | 'name'> & { readonly value: unknown }

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
const memberOf = (value: unknown, name: string): unknown => new Map(entriesOf(value)).get(name)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Splits a document into items that can be compared one by one. */
function* itemsOf(document: unknown): Generator<Item> {
  const gateway = memberOf(document, 'gateway')
  for (const [name, value] of entriesOf(gateway)) {
    if (name !== 'config') yield { kind: 'setting', template_id: null, name, value }
  }
  for (const [name, value] of entriesOf(memberOf(gateway, 'config')))
    yield { kind: 'setting', template_id: null, name: `config.${name}`, value }
  for (const device of listOf(memberOf(document, 'devices')))
    yield { kind: 'device', template_id: null, name: String(memberOf(device, 'id')), value: device }
  for (const [template_id, map] of entriesOf(memberOf(document, 'maps'))) {
    for (const [name, value] of entriesOf(memberOf(map, 'poll_groups')))
      yield { kind: 'poll_group', template_id, name, value }
    for (const register of listOf(memberOf(map, 'registers')))
      yield { kind: 'register', template_id, name: String(memberOf(register, 'key')), value: register }
    for (const [name, value] of entriesOf(map)) {
      if (name !== 'poll_groups' && name !== 'registers') yield { kind: 'map', template_id, name, value }
    }
  }
}

const keyOf = ({ kind, template_id, name }: Item): string => JSON.stringify([kind, template_id, name])
const itemMap = (document: unknown) => new Map([...itemsOf(document)].map((item) => [keyOf(item), item]))

function changedFields(before: unknown, after: unknown): string[] {
  const names = new Set([...entriesOf(before), ...entriesOf(after)].map(([name]) => name))
  return [...names]
    .filter((name) => canonicalJson(memberOf(before, name)) !== canonicalJson(memberOf(after, name)))
    .sort()
}

/** The changes from one pushed document to the next. Without a previous document, everything is added. */
export function diffConfigs(before: unknown, after: unknown): ConfigChange[] {
  const itemsBefore = itemMap(before)
  const itemsAfter = itemMap(after)
  const changes: ConfigChange[] = []
  const add = ({ kind, template_id, name }: Item, change: ConfigChange['change'], fields: string[] = []) =>
    changes.push({ kind, template_id, name, change, fields })
  for (const [key, item] of itemsAfter) {
    const previous = itemsBefore.get(key)
    if (!previous) add(item, 'added')
    else if (canonicalJson(previous.value) !== canonicalJson(item.value))
      add(item, 'changed', changedFields(previous.value, item.value))
  }
  for (const [key, item] of itemsBefore) if (!itemsAfter.has(key)) add(item, 'removed')
  return changes
}
