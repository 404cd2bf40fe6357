import { expect, it } from 'vitest'
import type { Metric } from '../../../core/sample-chunks/index.ts'
import { readColumns } from './row-columns.ts'

const METRICS: readonly Metric[] = ['import_active_energy', 'voltage', 'export_active_energy']
const EPOCH_2000_US = BigInt(Date.UTC(2000, 0, 1)) * 1000n
const NULL = Buffer.from([255, 255, 255, 255])

function field(write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeInt32BE(8)
  write(bytes)
  return bytes
}
const int8 = (value: bigint): Buffer => field((bytes) => bytes.writeBigInt64BE(value, 4))
const float8 = (value: number): Buffer => field((bytes) => bytes.writeDoubleBE(value, 4))

function text(value: string): Buffer {
  const bytes = Buffer.alloc(4 + Buffer.byteLength(value))
  bytes.writeInt32BE(bytes.length - 4)
  bytes.write(value, 4)
  return bytes
}

interface Row {
  readonly time: bigint
  readonly imported: bigint | null
  readonly voltage: number | null
  readonly exported: bigint | null
  readonly extra: string | null
}

/** A row as COPY sends it, at an offset of a buffer of its own or of one with all rows. */
const bytesOf = ({ time, imported, voltage, exported, extra }: Row): Buffer =>
  Buffer.concat([
    int8(time - EPOCH_2000_US),
    imported === null ? NULL : int8(imported),
    voltage === null ? NULL : float8(voltage),
    exported === null ? NULL : int8(exported),
    extra === null ? NULL : text(extra),
  ])

function read(rows: readonly Row[]) {
  const { readRow, columns } = readColumns({ metrics: METRICS, withExtra: true })
  const all = Buffer.concat(rows.map(bytesOf))
  let offset = 0
  for (const [index, row] of rows.entries()) {
    const own = bytesOf(row)
    if (index % 3 === 0) readRow(own, 0, own.length)
    else readRow(all, offset, offset + own.length)
    offset += own.length
  }
  return columns()
}

/** The cells of a column as BigInt, so that both kinds of arrays can be compared. */
function cellsOf(samples: ReturnType<typeof read>, metric: Metric): (bigint | number | null)[] | undefined {
  const column = samples?.metrics.get(metric)
  if (!column) return undefined
  return [...column.values].map((value, row) => (column.nulls?.[row] === 1 ? null : value))
}

const BEYOND = 2n ** 53n + 1n

it.each([
  ['all values', 1, () => true],
  ['the last rows have none', 5_000, (row: number) => row < 1_000],
  ['the first rows have none', 5_000, (row: number) => row >= 4_500],
  ['every other row', 5_000, (row: number) => row % 2 === 0],
  ['one row', 5_000, (row: number) => row === 4_000],
  ['no row', 3, () => false],
] as const)('rows of a binary copy as columns: %s', (_, count, isPresent) => {
  const rows = Array.from({ length: count }, (_row, row): Row => {
    const [imported, voltage] = isPresent(row) ? [BigInt(row) * 1_000_003n, row / 7] : [null, null]
    const exported = row === count - 1 ? -BEYOND : BigInt(row)
    return {
      time: BigInt(row) * 1_000_001n,
      imported,
      voltage,
      exported,
      extra: row % 1_000 === 2 ? '{"ğ": 1}' : null,
    }
  })
  const samples = read(rows)
  expect(samples?.rows).toBe(count)
  expect(samples?.times).toEqual(Float64Array.from(rows, ({ time }) => Number(time)))
  const expected = (values: (number | null)[]) =>
    values.some((value) => value !== null) ? values : undefined
  expect(cellsOf(samples, 'import_active_energy')).toEqual(
    expected(rows.map(({ imported }) => (imported === null ? null : Number(imported)))),
  )
  expect(cellsOf(samples, 'voltage')).toEqual(expected(rows.map(({ voltage }) => voltage)))
  expect(cellsOf(samples, 'export_active_energy')).toEqual(rows.map(({ exported }) => exported))
  expect(samples?.extra).toEqual(
    rows.some(({ extra }) => extra !== null) ? rows.map(({ extra }) => extra) : undefined,
  )
})

it('rows that arrive in another order are sorted by time', () => {
  const rows = [3n, 1n, 2n].map(
    (time): Row => ({ time, imported: time, voltage: Number(time), exported: null, extra: `{"t":${time}}` }),
  )
  const samples = read(rows)
  expect([...(samples?.times ?? [])]).toEqual([1, 2, 3])
  expect(cellsOf(samples, 'import_active_energy')).toEqual([1, 2, 3])
  expect(cellsOf(samples, 'voltage')).toEqual([1, 2, 3])
  expect(samples?.extra).toEqual(['{"t":1}', '{"t":2}', '{"t":3}'])
})

it('no row makes no columns', () => {
  expect(read([])).toBeUndefined()
})
