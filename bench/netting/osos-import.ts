import { randomUUID } from 'node:crypto'
import { HOUR_MS, iso, periodOf, TURKEY_OFFSET_MS } from '../../src/kernel/time.ts'
import { insertRows } from '../../src/platform/db/bulk.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { inTenantTx } from '../../src/platform/db/tenant.ts'
import { makeFacility } from '../../test/support/netting/netting.ts'
import { sized } from '../support/effort.ts'
import { megabytes } from '../support/memory.ts'
import { importMemoryFigure } from '../support/peak.ts'
import { peaksOfProgram } from '../support/program.ts'
import { type BenchService, openService } from '../support/service.ts'
import { type Bench, type Figure, timed } from '../support/types.ts'

/** Of the file whose import is measured for its memory. */
const PER_LARGE_FILE = 10
/** Their sum is more than a heap that is never collected would hold. */
const LARGE_FILES = sized(3, 2)
const PER_FILE = sized(PER_LARGE_FILE, 2)
const INSTALLATIONS = sized(100, 4)
/** The last whole year, because the program runs at the present time. */
const YEAR = Date.parse(`${new Date().getUTCFullYear() - 1}-01-01T00:00:00+03:00`)
const HOURS = 365 * 24

interface Installation {
  readonly id: string
  readonly no: string
  readonly facilityId: string | null
}

/** Energies that differ by hour and installation, as kWh text from Wh. */
const drawnWh = (installation: number, hour: number): number =>
  (installation * 7919 + hour * 104_729) % 999_983
const fedWh = (installation: number, hour: number): number =>
  hour % 24 > 6 ? drawnWh(hour, installation) : 0
const kwh = (wh: number): string => `${Math.floor(wh / 1000)}.${String(wh % 1000).padStart(3, '0')}`

async function addInstallations(
  { deps, tenant }: BenchService,
  name: string,
  { hasFacility, count = INSTALLATIONS }: { hasFacility: boolean; count?: number },
): Promise<Installation[]> {
  const installations: Installation[] = []
  for (let at = 0; at < count; at++) {
    const facilityId = hasFacility ? (await makeFacility(deps, tenant)).id : null
    const no = `${name}-${at}`
    const values = { tenant_id: tenant.id, installation_no: no, facility_id: facilityId }
    const { id } = await deps.database.kysely
      .insertInto('osos_installation')
      .values(values)
      .returning('id')
      .executeTakeFirstOrThrow()
    installations.push({ id, no, facilityId })
  }
  return installations
}

const LABELS = Array.from({ length: HOURS }, (_, hour) => {
  const local = iso(YEAR + hour * HOUR_MS + TURKEY_OFFSET_MS)
  const date = local.slice(0, 10).split('-').reverse().join('.')
  return `${date};${String(Number(local.slice(11, 13)) + 1).padStart(2, '0')}:00`
})

/** A file as a portal exports it, of `count` installations. */
function fileOf(installations: readonly Installation[], from: number, count = PER_FILE): string {
  const lines = ['Tesisat No;Tarih;Saat;Aktif Çekiş (kWh);Aktif Veriş (kWh)']
  for (const [index, { no }] of installations.slice(from, from + count).entries()) {
    for (const [hour, label] of LABELS.entries()) {
      const [drawn, fed] = [kwh(drawnWh(from + index, hour)), kwh(fedWh(from + index, hour))]
      lines.push(`${no};${label};${drawn.replace('.', ',')};${fed.replace('.', ',')}`)
    }
  }
  return lines.join('\r\n')
}

interface Sent {
  readonly content: string
  readonly rows: number
  readonly hasFacts: boolean
}

async function send(url: string, token: string, { content, rows, hasFacts }: Sent): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([content]), 'readings.csv')
  form.set('label', 'hour_ending')
  form.set('multiplied', 'true')
  const response = await fetch(`${url}/api/osos/readings/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const report = (await response.json()) as { accepted?: number; facts_written?: number }
  if (report.accepted !== rows || report.facts_written !== (hasFacts ? rows : 0))
    throw new Error(`the file was not imported: ${response.status} ${JSON.stringify(report).slice(0, 300)}`)
}

interface Rows {
  readonly ids: (string | null)[]
  readonly hours: Date[]
  readonly drawn: string[]
  readonly fed: string[]
}

function rowsOf(ids: readonly (string | null)[], from: number): Rows {
  const rows: Rows = { ids: [], hours: [], drawn: [], fed: [] }
  for (const [index, id] of ids.slice(from, from + PER_FILE).entries()) {
    for (let hour = 0; hour < HOURS; hour++) {
      rows.ids.push(id)
      rows.hours.push(new Date(YEAR + hour * HOUR_MS))
      rows.drawn.push(kwh(drawnWh(from + index, hour)))
      rows.fed.push(kwh(fedWh(from + index, hour)))
    }
  }
  return rows
}

/** The same rows in one transaction, by the bulk insert that the service's other writers use. */
const insertBare = ({ deps, tenant }: BenchService, { ids, hours, drawn, fed }: Rows): Promise<void> =>
  inTenantTx(deps.database.kysely, tenant.id, (tx) =>
    insertRows(tx, {
      table: 'osos_reading',
      same: {
        tenant_id: tenant.id,
        is_suspect: false,
        revision: 1,
        import_id: randomUUID(),
        stored_at: new Date(YEAR),
      },
      columns: [
        { name: 'installation_id', type: 'uuid', values: ids },
        { name: 'hour', type: 'timestamptz', values: hours },
        { name: 'import_kwh', type: 'numeric', values: drawn },
        { name: 'export_kwh', type: 'numeric', values: fed },
      ],
    }),
  )

/** The facts of the same rows, by the same bulk insert. */
const insertBareFacts = ({ deps, tenant }: BenchService, { ids, hours, drawn, fed }: Rows): Promise<void> =>
  inTenantTx(deps.database.kysely, tenant.id, (tx) =>
    insertRows(tx, {
      table: 'hourly_energy',
      same: {
        tenant_id: tenant.id,
        source: 'osos_official_meter',
        measurement_role: 'pcc_import_export',
        data_quality: 'complete',
        completeness_pct: '100',
        computed_at: new Date(YEAR),
      },
      columns: [
        { name: 'facility_id', type: 'uuid', values: ids },
        { name: 'hour', type: 'timestamptz', values: hours },
        { name: 'import_kwh', type: 'numeric', values: drawn },
        { name: 'export_kwh', type: 'numeric', values: fed },
      ],
    }),
  )

/** The peak memory of the built program, which imports several files one after the other. */
async function measureMemory(service: BenchService): Promise<Figure[]> {
  const rows = PER_LARGE_FILE * HOURS
  const files: Sent[] = []
  for (let file = 0; file < LARGE_FILES; file++) {
    const target = { hasFacility: true, count: PER_LARGE_FILE }
    const installations = await addInstallations(service, `large-${file}`, target)
    files.push({ content: fileOf(installations, 0, PER_LARGE_FILE), rows, hasFacts: true })
  }
  const [before = Number.NaN, ...after] = await peaksOfProgram(
    service,
    files.map((file) => (url) => send(url, service.tenant.admin.token, file)),
  )
  const name = `of ${rows.toLocaleString('en')} official readings, ${megabytes(before)} before`
  return after.map((bytes, file) => importMemoryFigure(`file ${file + 1} ${name}`, bytes))
}

async function measure(service: BenchService): Promise<Figure[]> {
  const months = Array.from({ length: 12 }, (_, month) => periodOf(YEAR + month * 31 * 24 * HOUR_MS))
  await ensurePartitions(service.deps.database, 'hourly_energy', months)
  const memory = await measureMemory(service)
  const { url, tenant } = service
  const rowsOfFile = PER_FILE * HOURS
  const sendHere = (content: string, hasFacts: boolean) =>
    send(url, tenant.admin.token, { content, rows: rowsOfFile, hasFacts })
  const bareOnes = await addInstallations(service, 'bare', { hasFacility: true })
  const alone = await addInstallations(service, 'alone', { hasFacility: false })
  const placed = await addInstallations(service, 'placed', { hasFacility: true })
  const took = { bare: 0, bareFacts: 0, alone: 0, placed: 0 }
  // Alternating, file by file, so that other load on the machine affects all alike.
  for (let from = 0; from < INSTALLATIONS; from += PER_FILE) {
    const readings = rowsOf(
      bareOnes.map(({ id }) => id),
      from,
    )
    took.bare += await timed(() => insertBare(service, readings))
    const facts = rowsOf(
      bareOnes.map(({ facilityId }) => facilityId),
      from,
    )
    took.bareFacts += await timed(() => insertBareFacts(service, facts))
    const files = [fileOf(alone, from), fileOf(placed, from)] as const
    took.alone += await timed(() => sendHere(files[0], false))
    took.placed += await timed(() => sendHere(files[1], true))
  }
  const rows = INSTALLATIONS * HOURS
  const rate = (ms: number) => `${Math.round(rows / (ms / 1000)).toLocaleString('en')} rows/s`
  const figure = (name: string, ours: number, bare: number, aim = '>= 0.3'): Figure => ({
    name: `official readings of ${INSTALLATIONS} installations for a year, ${name}`,
    measured: rate(ours),
    against: rate(bare),
    ratio: bare / ours,
    aim,
  })
  return [
    figure('CSV to commit (bulk insert of the readings)', took.alone, took.bare),
    figure('CSV to facts (bulk insert of readings and facts)', took.placed, took.bare + took.bareFacts),
    figure('CSV to facts (bulk insert of the readings alone)', took.placed, took.bare, ''),
    ...memory,
  ]
}

/** Files of several installation-years each, from the request to the commit. */
export const ososImportBench: Bench = {
  name: 'osos-import',
  async run() {
    const service = await openService(Date.now())
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  },
}
