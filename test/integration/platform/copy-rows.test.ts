import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatKwh, formatTry, type Try, wh } from '../../../src/kernel/decimal.ts'
import { copyRows, RowEncoder } from '../../../src/platform/db/copy-rows.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import type { DB } from '../../../src/platform/db/types.ts'
import { createDatabase } from '../../support/database.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const created = await createDatabase()
  drop = created.drop
  database = connect({ url: created.url, maxConnections: 1 })
  await database.pool.query(`create table copied (
    at timestamptz, label text, owner uuid, step integer, flag boolean, energy numeric(18, 3), money numeric(18, 6))`)
})

afterAll(async () => {
  await database.close()
  await drop()
})

const TABLE = 'copied' as keyof DB
const COLUMNS = ['at', 'label', 'owner', 'step', 'flag', 'energy', 'money']
const OWNER = '0190b1f6-0000-7abc-8def-0123456789ab'
const AT = Date.UTC(2026, 4, 1, 12)

/** Each power of ten up to the largest decimal of 18 digits, and its neighbours, with both signs. */
const DECIMALS = [
  0n,
  ...Array.from({ length: 18 }, (_, exponent) => 10n ** BigInt(exponent)).flatMap((power) =>
    [power - 1n, power, power + 1n, power * 3n + 4_567n, 10n ** 18n - power].flatMap((value) => [
      value,
      -value,
    ]),
  ),
]

function encode(values: readonly bigint[]): RowEncoder {
  const rows = new RowEncoder()
  for (const value of values) {
    rows.begin(COLUMNS.length)
    rows.timestamptz(AT)
    rows.text('Ölçü "A"')
    rows.uuid(OWNER)
    rows.int4(-7)
    rows.bool(value > 0n)
    rows.numeric(value, 3)
    rows.numeric(value, 6)
  }
  return rows
}

const read = async () =>
  (
    await sql<
      Record<string, unknown>
    >`select at, label, owner, step, flag, energy, money from copied`.execute(database.kysely)
  ).rows

it('rows are stored as they were encoded, piece by piece, in the transaction', async () => {
  const rows = encode(DECIMALS)
  const first = rows.take()
  rows.begin(COLUMNS.length)
  rows.timestamptz(AT)
  for (const put of [rows.text, rows.uuid, rows.int4]) put.call(rows, null)
  rows.bool(false)
  rows.numeric(null, 3)
  rows.numeric(null, 6)
  const second = rows.take()
  await database.kysely.transaction().execute(async (db) => {
    await copyRows({ db }, { table: TABLE, columns: COLUMNS, bytes: first })
    await copyRows({ db }, { table: TABLE, columns: COLUMNS, bytes: second })
  })
  expect(await read()).toEqual([
    ...DECIMALS.map((value) => ({
      at: new Date(AT),
      label: 'Ölçü "A"',
      owner: OWNER,
      step: -7,
      flag: value > 0n,
      energy: formatKwh(wh(value)),
      money: formatTry(value as Try),
    })),
    { at: new Date(AT), label: null, owner: null, step: null, flag: false, energy: null, money: null },
  ])
})

it('a refused COPY fails its transaction, and the only connection can be used again', async () => {
  await database.pool.query('truncate copied')
  const bytes = encode([10n ** 18n]).take()
  const copied = database.kysely.transaction().execute(async (db) => {
    await copyRows({ db }, { table: TABLE, columns: COLUMNS, bytes: encode([1n]).take() })
    await copyRows({ db }, { table: TABLE, columns: COLUMNS, bytes })
  })
  await expect(copied).rejects.toThrow('numeric field overflow')
  expect(await read()).toEqual([])
})
