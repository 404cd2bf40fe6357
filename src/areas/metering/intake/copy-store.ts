import type pg from 'pg'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { BinaryCopy } from '../../../platform/db/binary-copy.ts'
import { copyIn } from '../../../platform/db/copy-in.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'
import { EXTRA_BIT, type Part, type SampleBlock } from './block.ts'
import { INGEST_STATEMENT_TIMEOUT_MS } from './limits.ts'
import { DEFINE_MARKING } from './watch-marks.ts'

export const KEY = 'tenant_id, device_key, ts'
const quoted = [...VALUE_COLUMNS, 'extra'].map((name) => `"${name}"`)
export const VALUE_LIST: readonly string[] = quoted

const OPEN = `
  set statement_timeout = ${INGEST_STATEMENT_TIMEOUT_MS};
  create temp table if not exists staged_sample on commit delete rows
    as select 0 as no, ${KEY}, ${quoted.join(', ')} from measurement with no data;
  ${DEFINE_MARKING}`

/** A connection that stores batches one after the other, with its staging table and its memory. */
export interface BatchConnection {
  readonly client: pg.ClientBase
  readonly copy: BinaryCopy
  /** On the monotonic clock, milliseconds: until then batches are staged, since one has met what was stored already. */
  stagesUntil: number
}

export async function openBatchConnection(client: pg.ClientBase): Promise<BatchConnection> {
  await client.query(OPEN)
  return { client, copy: new BinaryCopy(), stagesUntil: 0 }
}

/** Rows to be written: called with the position of each in turn, it says where the row's sample is. */
export interface StagedRows {
  readonly count: number
  block(position: number): SampleBlock
  index(position: number): number
  /** The number under which the row is known later. */
  no(position: number): number
}

/** The columns that any sample of a batch has; the others are neither sent nor written. */
export const columnsUsed = (parts: readonly Part[]): number => {
  let used = 0
  for (const { block, from, to } of parts) {
    for (let index = from; index < to; index++) used |= block.masks[index] ?? 0
  }
  return used
}

/** The key and the value columns of a mask, as they stand in statements. */
export const columnList = (used: number): string =>
  [KEY, ...quoted.filter((_, place) => (used & (1 << place)) !== 0)].join(', ')

interface RowsToWrite {
  readonly rows: StagedRows
  readonly used: number
}

/** Puts rows into the empty staging table. */
export async function stage({ client, copy }: BatchConnection, { rows, used }: RowsToWrite): Promise<void> {
  const columns = 1 + columnCount(used)
  copy.begin()
  for (let position = 0; position < rows.count; position++) {
    copy.row(columns)
    copy.int4(rows.no(position))
    writeSample(copy, used, rows.block(position), rows.index(position))
  }
  await copyIn(client, copyText(`staged_sample (no, ${columnList(used)})`), copy.finish())
}

/**
 * Puts rows straight where they are kept, in a transaction that `last` ends or goes on with; one that is there already
 * makes all of them fail.
 */
export async function keep(
  { client, copy }: BatchConnection,
  { rows, used }: RowsToWrite,
  last: string,
): Promise<void> {
  const columns = columnCount(used)
  copy.begin()
  for (let position = 0; position < rows.count; position++) {
    copy.row(columns)
    writeSample(copy, used, rows.block(position), rows.index(position))
  }
  await copyIn(client, `begin; ${copyText(`measurement (${columnList(used)})`)}; ${last}`, copy.finish())
}

/** The three columns of the key, and the value columns of a mask. */
const columnCount = (used: number): number =>
  3 + quoted.filter((_, place) => (used & (1 << place)) !== 0).length

const copyText = (target: string): string => `copy ${target} from stdin (format binary)`

function writeSample(copy: BinaryCopy, used: number, block: SampleBlock, index: number): void {
  copy.int4(block.tenantId)
  copy.int4(block.keyOf(index))
  copy.timestamptz(block.at[index] ?? 0)
  const mask = block.masks[index] ?? 0
  let from = block.valuesFrom[index] ?? 0
  for (let place = 0; place < VALUE_COLUMNS.length; place++) {
    const bit = 1 << place
    if ((mask & bit) !== 0) {
      const value = block.value(from++)
      if (place < REGISTERS.length) copy.int8(value)
      else copy.float8(value)
    } else if ((used & bit) !== 0) copy.missing()
  }
  if ((mask & EXTRA_BIT) !== 0) copy.jsonb(block.extraOf(index))
  else if ((used & EXTRA_BIT) !== 0) copy.missing()
}
