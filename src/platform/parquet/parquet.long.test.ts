import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ColumnSource, parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createParquetFile, openParquetFile, type ParquetCells, type ParquetColumn } from './index.ts'

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'id', type: 'text', isRequired: true },
  { name: 'time', type: 'instant', isRequired: true },
  { name: 'energy', type: 'decimal' },
  { name: 'power', type: 'double' },
]

let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'netsaat-parquet-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
const newPath = (): string => join(folder, `file-${files++}.parquet`)

/** The cells of rows from a number on, by column; every seventh register is null. */
const makeRows = (from: number, count: number): (string | number | bigint | null)[][] => {
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  return [
    numbers.map((no) => `device ${no % 3}`),
    numbers.map((no) => BigInt(no) * 1_000_000n),
    numbers.map((no) => (no % 7 === 0 ? null : BigInt(no) * 123_456_789_012n)),
    numbers.map((no) => (no === 3 ? -0 : no / 7)),
  ]
}

async function writeFileOf(counts: readonly number[]): Promise<string> {
  const path = newPath()
  const file = await createParquetFile(path, COLUMNS, 'a test')
  let from = 0
  for (const count of counts) {
    await file.writeGroup(makeRows(from, count))
    from += count
  }
  await file.finish()
  return path
}

async function readGroups(path: string): Promise<ParquetCells[][]> {
  const file = await openParquetFile(path, COLUMNS)
  try {
    const groups: ParquetCells[][] = []
    for await (const cells of file.groups()) groups.push(COLUMNS.map(({ name }) => cells.get(name) ?? []))
    return groups
  } finally {
    await file.close()
  }
}

describe('files of several groups', () => {
  it('are read group by group, and a large group in parts', async () => {
    // A column of the large group has several pages.
    const path = await writeFileOf([3, 140_000, 1])
    const groups = await readGroups(path)
    expect(groups.map(([ids]) => ids?.length)).toEqual([3, 100_000, 40_000, 1])
    const wanted = makeRows(0, 140_004)
    for (const [column, cells] of wanted.entries()) {
      const read = groups.flatMap((group) => group[column] ?? [])
      expect(read.length).toBe(cells.length)
      expect(cells.findIndex((cell, row) => !Object.is(cell, read[row]))).toBe(-1)
    }
  })

  it.skipIf(!existsSync('/dev/full'))('leave nothing when the disk is full', async () => {
    const path = newPath()
    await symlink('/dev/full', `${path}.part`)
    const file = await createParquetFile(path, COLUMNS, 'a test')
    await expect(file.writeGroup(makeRows(0, 10))).rejects.toMatchObject({ code: 'ENOSPC' })
    await file.discard()
    expect((await readdir(folder)).filter((name) => path.endsWith(name.replace('.part', '')))).toEqual([])
  })

  it('are refused when they are damaged', async () => {
    const path = await writeFileOf([10, 10])
    const { length } = await readFile(path)
    const refuse = (wanted: string) => expect(readGroups(path)).rejects.toThrow(wanted)
    await truncate(path, length - 1)
    await refuse('.parquet cannot be read: ')
    await truncate(path, 2)
    await refuse('it is too short')
    await writeFile(path, 'a text that is no such file')
    await refuse('cannot be read: ')
  })
})

type Element = Omit<SchemaElement, 'name'>
const TEXT: Element = { type: 'BYTE_ARRAY', converted_type: 'UTF8' }
const TIME: Element = { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }
const ENERGY: Element = { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6 }
const POWER: Element = { type: 'DOUBLE' }

/** A file of another program: compressed with snappy, with dictionaries, all columns optional. */
async function writeForeign(elements: readonly (Element | undefined)[], codec: 'SNAPPY' | 'ZSTD' = 'SNAPPY') {
  const path = newPath()
  const used = COLUMNS.map(({ name }, index) => ({
    name,
    element: elements[index],
    data: VALUES[index] ?? [],
  }))
  const present = used.filter(({ element }) => element !== undefined)
  const schema: SchemaElement[] = [
    { name: 'root', num_children: present.length },
    ...present.map(({ name, element }) => ({ ...element, name, repetition_type: 'OPTIONAL' as const })),
  ]
  const columnData: ColumnSource[] = present.map(({ name, element, data }) => ({
    name,
    data: element?.type === 'BYTE_ARRAY' || element?.type === 'INT64' ? data : data.map(Number),
  }))
  const compressors = { ZSTD: (bytes: Uint8Array) => bytes }
  await writeFile(path, new Uint8Array(parquetWriteBuffer({ schema, columnData, codec, compressors })))
  return path
}

const VALUES: readonly (string | number | bigint | null)[][] = [
  ['a', 'a', 'b', 'a'],
  [1_000n, 2_000n, 1_000n, 3_000n],
  [1n, null, 9_007_199_254_740_993n, 1n],
  [0.5, 0.25, null, 0.5],
]

describe('files of other programs', () => {
  it('are read when their types are the same', async () => {
    const power = VALUES[3]?.map((value) => Number(value))
    expect(await readGroups(await writeForeign([TEXT, TIME, ENERGY, POWER]))).toEqual([
      [...VALUES.slice(0, 3), power],
    ])
  })

  const at = (unit: 'MILLIS' | 'MICROS' | 'NANOS', isAdjustedToUTC = true): Element => ({
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit },
  })
  it.each<[string, (Element | undefined)[]]>([
    ['the column time is INT64 TIMESTAMP true MILLIS, and not a timestamp', [TEXT, at('MILLIS')]],
    ['the column time is INT64 TIMESTAMP true NANOS, and not a timestamp', [TEXT, at('NANOS')]],
    ['the column time is INT64 TIMESTAMP false MICROS, and not a timestamp', [TEXT, at('MICROS', false)]],
    ['the column time is INT64, and not a timestamp', [TEXT, { type: 'INT64' }]],
    ['the column energy is DOUBLE, and not a decimal', [TEXT, TIME, POWER]],
    ['the column energy is INT64 DECIMAL 3, and not a decimal', [TEXT, TIME, { ...ENERGY, scale: 3 }]],
    ['the column power is INT64 DECIMAL 6, and not a double', [TEXT, TIME, ENERGY, ENERGY]],
    ['there is no column power', [TEXT, TIME, ENERGY]],
  ])('are refused: %s', async (message, elements) => {
    await expect(readGroups(await writeForeign(elements))).rejects.toThrow(message)
  })

  it('are refused when they are compressed otherwise', async () => {
    const path = await writeForeign([TEXT, TIME, ENERGY, POWER], 'ZSTD')
    await expect(readGroups(path)).rejects.toThrow('the column id is compressed with ZSTD')
  })
})
