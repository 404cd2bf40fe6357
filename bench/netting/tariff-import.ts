import type { CreatePrice } from '../../src/areas/netting/tariffs/index.ts'
import { TARIFF_IMPORT_ROWS_MAX } from '../../src/areas/netting/tariffs/limits.ts'
import { insertRows } from '../../src/platform/db/bulk.ts'
import { inSystemTx } from '../../src/platform/db/tenant.ts'
import { writeXlsx } from '../../src/platform/tables/index.ts'
import { sized } from '../support/effort.ts'
import { megabytes } from '../support/memory.ts'
import { importMemoryFigure } from '../support/peak.ts'
import { peaksOfProgram } from '../support/program.ts'
import { type BenchService, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const ROUNDS = sized(7, 1)
/** How often the program whose memory is measured imports each of the files. */
const MEMORY_ROUNDS = sized(3, 2)
const BASE = '/api/v1/admin/regulated-tariffs/price-sets'
const HEADERS = [
  'valid_from',
  'billing_period',
  'abone_grubu',
  'price_purpose',
  'price',
  'time_segment',
  'step_no',
] as const
const GROUPS = ['mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other'] as const
const PURPOSES = [
  'sktt_active_energy',
  'customer_bill_active_energy',
  'system_usage',
  'distribution',
] as const
const SEGMENTS = ['tek', 'gunduz', 'puant', 'gece', null] as const
const STEPS = 100

type Price = Pick<CreatePrice, (typeof HEADERS)[number]>

/** The maximum number of rows of one file, each with a unique natural key. */
const PRICES: readonly Price[] = Array.from({ length: TARIFF_IMPORT_ROWS_MAX }, (_, index) => {
  const key = Math.floor(index / STEPS)
  return {
    valid_from: '2026-10-01',
    billing_period: '2026-10-01',
    abone_grubu: GROUPS[key % 6] ?? 'other',
    price_purpose: PURPOSES[Math.floor(key / 6) % 4] ?? 'distribution',
    price: (1 + index / 1e6).toFixed(6),
    time_segment: SEGMENTS[Math.floor(key / 24)] ?? null,
    step_no: (index % STEPS) + 1,
  }
})

const cells = (price: Price) => HEADERS.map((header) => price[header] ?? null)

async function makeFiles(): Promise<File[]> {
  const csv = [HEADERS, ...PRICES.map(cells)].map((row) => row.join(',')).join('\n')
  const columns = HEADERS.map((title) => ({
    title,
    kind: title === 'price' || title === 'step_no' ? ('number' as const) : ('text' as const),
  }))
  const book = await writeXlsx({ columns, rows: PRICES.map(cells) }, { sheetName: 'prices', at: 0 })
  return [
    ['prices.csv', Buffer.from(csv)],
    ['prices.xlsx', book],
  ]
}

async function createSet({ url, tenant }: Pick<BenchService, 'url' | 'tenant'>): Promise<string> {
  const response = await fetch(url + BASE, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.superuser.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ billing_period: '2026-10' }),
  })
  return ((await response.json()) as { id: string }).id
}

type File = readonly [name: string, content: Buffer]

async function send(
  { url, tenant }: Pick<BenchService, 'url' | 'tenant'>,
  path: string,
  [name, content]: File,
) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.superuser.token}` },
    body: form,
  })
  const { imported } = (await response.json()) as { imported?: number }
  if (imported !== PRICES.length) throw new Error(`${name} was not imported: ${response.status}`)
}

/** The same rows into the same table in one transaction, by the final statement of the import. */
const insertBare = ({ deps }: BenchService, setId: string): Promise<void> =>
  inSystemTx(deps.database.kysely, (tx) =>
    insertRows(tx, {
      table: 'tariff_price',
      same: { price_set_id: setId },
      columns: HEADERS.map((name) => ({
        name,
        type: TYPES[name],
        values: PRICES.map((price) => price[name] ?? null),
      })),
    }),
  )
const TYPES = {
  valid_from: 'date',
  billing_period: 'date',
  abone_grubu: 'text',
  price_purpose: 'text',
  price: 'numeric',
  time_segment: 'text',
  step_no: 'integer',
} as const

/** The peak memory of the built program, which imports the files several times, one after the other. */
async function measureMemory(
  { tenant, ...service }: BenchService,
  files: readonly File[],
): Promise<Figure[]> {
  const works = Array.from({ length: MEMORY_ROUNDS }, () => files).flat()
  const [before = Number.NaN, ...after] = await peaksOfProgram(
    { tenant, ...service },
    works.map((file) => async (url) => {
      await send({ url, tenant }, `${BASE}/${await createSet({ url, tenant })}/import-csv`, file)
    }),
  )
  return after.map((bytes, index) => {
    const [name = ''] = works[index] ?? []
    const text = `file ${index + 1}, ${name}, of ${PRICES.length.toLocaleString('en')} tariff prices`
    return importMemoryFigure(`${text}, ${megabytes(before)} before`, bytes)
  })
}

async function measure(service: BenchService): Promise<Figure[]> {
  const files = await makeFiles()
  const bare: number[] = []
  const ours: number[][] = files.map(() => [])
  for (let round = 0; round < ROUNDS + 1; round++) {
    const bareSet = await createSet(service)
    const bareMs = await timed(() => insertBare(service, bareSet))
    if (round > 0) bare.push(bareMs)
    for (const [index, file] of files.entries()) {
      const path = `${BASE}/${await createSet(service)}/import-csv`
      const ms = await timed(() => send(service, path, file))
      if (round > 0) ours[index]?.push(ms)
    }
  }
  const rate = (ms: number) => `${Math.round(PRICES.length / (ms / 1000)).toLocaleString('en')} rows/s`
  const rates = files.map(([name], index) => ({
    name: `import of ${PRICES.length.toLocaleString('en')} tariff prices, ${name} (bulk insert of the same rows)`,
    measured: rate(median(ours[index] ?? [])),
    against: rate(median(bare)),
    ratio: median((ours[index] ?? []).map((ms, round) => (bare[round] ?? Number.NaN) / ms)),
    aim: '>= 0.3',
  }))
  return [...(await measureMemory(service, files)), ...rates]
}

/** A file of tariff prices from the request to the commit, against the bare insert of its rows. */
export const tariffImportBench: Bench = {
  name: 'tariff-import',
  async run() {
    const service = await openService(Date.now())
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  },
}
