import type { Catalog, CatalogTable } from './catalog.ts'

const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * The statements that distribute what is not distributed yet, in their order; empty when everything is in place.
 *
 * - Foreign keys and triggers of the tables concerned are dropped first: a key needs both of its tables in place, and a
 *   trigger would run for the rows that are copied to the shards.
 * - The first distributed table makes the co-location group, which all others join: the rows of a tenant are in the
 *   shards of one number, on one node.
 * - Keys of partitioned tables are created before these are distributed, when the tables to which they refer are in
 *   place; the keys of the others afterwards.
 * - The shards and the nodes' copies of a table give its owner every right, so what is revoked is revoked once more.
 */
export function planOf(catalog: Catalog, shards: number): string[] {
  const concerned = catalog.tables.filter(({ placement, isPlaced }) => placement !== 'local' && !isPlaced)
  const names = new Set(concerned.map(({ name }) => name))
  const functions = catalog.functions.map((name) => `select create_distributed_function(${literal(name)})`)
  if (names.size === 0) return functions
  const keys = catalog.foreignKeys.filter(({ from, to }) => names.has(from) || names.has(to))
  const triggers = catalog.triggers.filter(({ table }) => names.has(table))
  const partitioned = new Set(concerned.filter((table) => table.isPartitioned).map(({ name }) => name))
  const addKey = ({ from, name, definition }: (typeof keys)[number]) =>
    `alter table ${ident(from)} add constraint ${ident(name)} ${definition}`
  return [
    `set local citus.shard_count = ${shards}`,
    ...keys.map(({ from, name }) => `alter table ${ident(from)} drop constraint ${ident(name)}`),
    ...triggers.map(({ table, name }) => `drop trigger ${ident(name)} on ${ident(table)}`),
    ...functions,
    ...concerned
      .filter(({ placement }) => placement === 'reference')
      .map(({ name }) => `select create_reference_table(${literal(name)})`),
    ...distributeTables(catalog, concerned, (table) =>
      keys.filter(({ from }) => from === table && partitioned.has(table)).map(addKey),
    ),
    ...keys.filter(({ from }) => !partitioned.has(from)).map(addKey),
    ...triggers.map(({ definition }) => definition),
    ...catalog.rights.filter(({ table }) => names.has(table)).map(({ statement }) => statement),
  ]
}

function distributeTables(
  { tables }: Catalog,
  concerned: readonly CatalogTable[],
  keysBefore: (table: string) => string[],
): string[] {
  const fresh = concerned
    .filter(({ placement }) => placement === 'distributed')
    .toSorted((a, b) => Number(a.isPartitioned) - Number(b.isPartitioned))
  const first = tables.find(({ placement, isPlaced }) => placement === 'distributed' && isPlaced) ?? fresh[0]
  return fresh.flatMap(({ name }) => {
    const group = name === first?.name ? 'none' : (first?.name ?? 'none')
    return [
      ...keysBefore(name),
      `select create_distributed_table(${literal(name)}, 'tenant_id', colocate_with => ${literal(group)})`,
    ]
  })
}
