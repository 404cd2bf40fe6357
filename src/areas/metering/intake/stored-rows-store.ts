import type pg from 'pg'
import { at, floatAt, intAt } from '../../../kernel/checked.ts'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { iso } from '../../../kernel/time.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { readValues, VALUE_COLUMNS } from '../sample-columns.ts'
import type { Batch } from './batch.ts'
import { VALUE_LIST } from './batch-connection.ts'
import { EXTRA_BIT, type SampleBlock } from './block.ts'
import { BatchRetry } from './queue-options.ts'

/** Rows of a batch by number, ascending. */
export type ReadonlyRows = readonly number[]

/** Statements that are sent in one message. */
const MESSAGE_STATEMENTS_MAX = 10

/**
 * Runs one statement for each tenant, several in a message, because a round trip would cost more than a statement. The
 * values are part of the text: a message with several statements has no parameters, and they are numbers, instants and
 * escaped JSON made by the service.
 */
async function runEach(
  client: pg.ClientBase,
  statements: readonly string[],
  deadline: number,
): Promise<unknown[][]> {
  const found: unknown[][] = []
  for (let from = 0; from < statements.length; from += MESSAGE_STATEMENTS_MAX) {
    if (performance.now() > deadline) throw new BatchRetry('the batch takes too long and is tried again')
    const text = statements.slice(from, from + MESSAGE_STATEMENTS_MAX).join(';')
    const results = await client.query<unknown[]>({ text, rowMode: 'array' })
    // The driver returns a list for a message with several statements, which its types do not say.
    for (const { rows } of [results].flat()) found.push(...rows)
  }
  return found
}

interface StoredTextInput {
  readonly tenantId: number
  /** Arrays of equal length: numbers of rows, device keys, instants. */
  readonly arrays: string
  readonly isLocked: boolean
}

/**
 * A statement about one tenant is sent to one node of a distributed database (ADR 0103).
 *
 * Every row is looked up by its key, in the order of the keys: OFFSET 0 keeps the planner from joining the other way
 * round. It takes a tenant for a small part of a month that was never analyzed, and would compare every stored row of
 * the month with every row of the batch.
 */
export const storedText = ({ tenantId, arrays, isLocked }: StoredTextInput): string => `
  select asked.no, ${VALUE_LIST.map((name) => `stored.${name}`).join(', ')}
  from (select * from unnest(${arrays}) as key (no, device_key, ts) order by device_key, ts) as asked
  cross join lateral (
    select ${VALUE_LIST.map((name) => `m.${name}`).join(', ')} from measurement m
    where m.tenant_id = ${tenantId} and m.device_key = asked.device_key and m.ts = asked.ts
    ${isLocked ? 'for update of m' : ''} offset 0) as stored`

export interface StoredQuery {
  readonly rows: ReadonlyRows
  /** Locks the rows, in the order of their keys. */
  readonly isLocked: boolean
  /** The instant of the monotonic clock after which no further statement begins. */
  readonly deadline: number
}

/** Returns the stored values of the rows of a batch that are stored; one statement for each tenant. */
export async function readStored(
  client: pg.ClientBase,
  batch: Batch,
  { rows, isLocked, deadline }: StoredQuery,
): Promise<Map<number, SampleValues>> {
  const statements = byTenant(batch, rows).map(([tenantId, own]) => {
    const arrays = `${intArray(own)}, ${keyArrays(own.map((row) => batch.first(row)))}`
    return storedText({ tenantId, arrays, isLocked })
  })
  const found = await runEach(client, statements, deadline)
  return new Map(found.map(([no, ...cells]) => [Number(no), readValues(cells)]))
}

/** Writes the values of blocks of one sample each into their stored rows. */
export async function writeMerged(
  client: pg.ClientBase,
  blocks: readonly SampleBlock[],
  deadline: number,
): Promise<void> {
  const tenants = new Map<number, SampleBlock[]>()
  for (const block of blocks) addTo(tenants, block.tenantId, block)
  await runEach(
    client,
    [...tenants].map(([tenantId, own]) => mergeText(tenantId, own)),
    deadline,
  )
}

/** Values are only added to stored rows, so a column that no row has is null in all of them. */
function mergeText(tenantId: number, blocks: readonly SampleBlock[]): string {
  const used = blocks.reduce((mask, block) => mask | intAt(block.masks, 0), 0)
  const columns = VALUE_LIST.map((_, column) => column).filter((column) => (used & (1 << column)) !== 0)
  const names = columns.map((column) => at(VALUE_LIST, column))
  const cells = columns.map(
    (column) => `'{${blocks.map((block) => cellOf(block, column)).join()}}'::${typeOf(column)}[]`,
  )
  const keys = keyArrays(blocks.map((block) => ({ block, index: 0 })))
  return `
    update measurement m set ${names.map((name) => `${name} = s.${name}`).join(', ')}
    from unnest(${keys}, ${cells.join(', ')}) as s (device_key, ts, ${names.join(', ')})
    where m.tenant_id = ${tenantId} and m.device_key = s.device_key and m.ts = s.ts`
}

function byTenant(batch: Batch, rows: ReadonlyRows): [number, number[]][] {
  const tenants = new Map<number, number[]>()
  for (const row of rows) addTo(tenants, batch.blockAt(row).tenantId, row)
  return [...tenants].sort(([a], [b]) => a - b)
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

const intArray = (values: readonly number[]): string => `'{${values.join()}}'::int[]`

/** Two arrays: device keys, and instants. */
function keyArrays(samples: readonly { readonly block: SampleBlock; readonly index: number }[]): string {
  const instants = samples.map(({ block, index }) => iso(floatAt(block.at, index)))
  return `${intArray(samples.map(({ block, index }) => block.keyOf(index)))}, '{${instants.join()}}'::timestamptz[]`
}

function typeOf(column: number): string {
  if (column === VALUE_COLUMNS.length) return 'jsonb'
  return column < REGISTERS.length ? 'bigint' : 'double precision'
}

/** The value of a column of the only sample of a block, as an element of an array within a quoted text. */
function cellOf(block: SampleBlock, column: number): number | string {
  const mask = intAt(block.masks, 0)
  if ((mask & (1 << column)) === 0) return 'NULL'
  if (1 << column === EXTRA_BIT)
    return `"${JSON.stringify(block.extraOf(0)).replace(/["\\]/g, String.raw`\$&`).replaceAll("'", "''")}"`
  let from = intAt(block.valuesFrom, 0)
  for (let before = 0; before < column; before++) if ((mask & (1 << before)) !== 0) from += 1
  return block.value(from)
}
