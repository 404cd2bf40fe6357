import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError, found } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { COLLECTOR_BODY_BYTES_MAX, COLLECTOR_POINTS_MAX } from './limits.ts'
import { type Precision, parseLines } from './line-protocol.ts'
import { COLLECTOR_TEXTS } from './messages.ts'
import { decodeWriteRequest, RemoteWriteFault, RemoteWriteTooLarge, type TimeSeries } from './remote-write.ts'
import { SnappyFault, SnappyTooLarge, unsnappy } from './snappy.ts'
import { findDevicesByText, findMappingByName } from './store.ts'
import {
  DEFAULT_MAPPING,
  type Fault,
  groupValues,
  type IncomingValue,
  type MappedValue,
  type Mapping,
  makeTranslator,
  quoted,
} from './translate.ts'

/** Everything else of the request is stored. */
export interface WriteOutcome {
  /** Values and faults of the request. */
  readonly count: number
  readonly faults: readonly Fault[]
}

type WriteDeps = Pick<Deps, 'ingest' | 'clock'>

const bodyExceeded = () =>
  new AppError(
    413,
    'PAYLOAD_TOO_LARGE',
    COLLECTOR_TEXTS.COLLECTOR_BODY_EXCEEDED({ max: COLLECTOR_BODY_BYTES_MAX }),
  )
const pointsExceeded = () =>
  new AppError(
    413,
    'PAYLOAD_TOO_LARGE',
    COLLECTOR_TEXTS.COLLECTOR_POINTS_EXCEEDED({ max: COLLECTOR_POINTS_MAX }),
  )
const invalidBody = (error: unknown) =>
  new AppError(
    400,
    'VALIDATION_ERROR',
    COLLECTOR_TEXTS.COLLECTOR_BODY_INVALID({ detail: (error as Error).message }),
  )
const unsupported = (content: Message) => new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', content)

export interface LineRequest {
  readonly body: Buffer
  readonly encoding: string
  readonly bucket: string | undefined
  readonly precision: Precision
}

/** Stores the points of a request in line protocol; resolves after the commit. */
export async function writeLines(
  deps: WriteDeps,
  tenant: TenantDb,
  { body, encoding, bucket, precision }: LineRequest,
): Promise<WriteOutcome> {
  const text = (await decompress(body, encoding)).toString('utf8')
  const named = bucket ? await findMappingByName(tenant, bucket) : undefined
  const collected = new Collected(named ?? DEFAULT_MAPPING)
  const now = deps.clock.now()
  let lines = 0
  for (const { line, point, fault } of parseLines(text, precision)) {
    lines += 1
    if (lines > COLLECTOR_POINTS_MAX) throw pointsExceeded()
    if (!point) {
      collected.addFault({ origin: line, fault })
      continue
    }
    const { measurement, tags: labels, fields, at = now } = point
    for (const [field, value] of fields)
      collected.add({ origin: line, measurement, field, labels, value, at })
  }
  return store(deps, tenant, collected)
}

export interface RemoteWriteRequest {
  readonly body: Buffer
  readonly encoding: string
  readonly contentType: string
  readonly mapping: string | undefined
}

/** Stores the samples of a remote write request; resolves after the commit. */
export async function writeSeries(
  deps: WriteDeps,
  tenant: TenantDb,
  { body, encoding, contentType, mapping }: RemoteWriteRequest,
): Promise<WriteOutcome> {
  if (!REMOTE_WRITE_1.test(contentType)) throw unsupported(COLLECTOR_TEXTS.COLLECTOR_REMOTE_WRITE_VERSION())
  if (encoding !== 'snappy')
    throw unsupported(COLLECTOR_TEXTS.COLLECTOR_ENCODING_UNKNOWN({ supported: 'snappy' }))
  const list = decodeSeries(body)
  const named = mapping ? found('collector mapping', await findMappingByName(tenant, mapping)) : undefined
  const collected = new Collected(named ?? DEFAULT_MAPPING)
  for (const series of list) collectSeries(series, collected)
  return store(deps, tenant, collected)
}

/** Version 2.0 names another message in the parameter `proto`. */
const REMOTE_WRITE_1 = /^application\/x-protobuf\s*(;\s*proto=prometheus\.WriteRequest\s*)?$/i

function decodeSeries(body: Buffer): TimeSeries[] {
  try {
    return decodeWriteRequest(unsnappy(body, COLLECTOR_BODY_BYTES_MAX))
  } catch (error) {
    if (error instanceof SnappyTooLarge) throw bodyExceeded()
    if (error instanceof RemoteWriteTooLarge) throw pointsExceeded()
    if (error instanceof SnappyFault || error instanceof RemoteWriteFault) throw invalidBody(error)
    throw error
  }
}

function collectSeries({ labels, samples, hasHistograms }: TimeSeries, collected: Collected): void {
  const field = labels.get('__name__') ?? ''
  const origin = quoted(field)
  if (hasHistograms) collected.addFault({ origin, fault: COLLECTOR_TEXTS.COLLECTOR_HISTOGRAM() })
  for (const { value, at } of samples) {
    // NaN has no value to store: Prometheus marks the end of a series with it.
    if (!Number.isNaN(value)) collected.add({ origin, measurement: '', field, labels, value, at })
  }
}

/** The values of a request that have a metric, and its faults. */
class Collected {
  count = 0
  readonly values: MappedValue[] = []
  readonly faults: Fault[] = []
  readonly #translate: ReturnType<typeof makeTranslator>

  constructor(mapping: Mapping) {
    this.#translate = makeTranslator(mapping)
  }

  add(incoming: IncomingValue): void {
    this.count += 1
    const mapped = this.#translate(incoming)
    if (mapped === undefined) return
    if ('code' in mapped) this.faults.push({ origin: incoming.origin, fault: mapped })
    else this.values.push(mapped)
  }

  addFault(fault: Fault): void {
    this.count += 1
    this.faults.push(fault)
  }
}

async function store(deps: WriteDeps, tenant: TenantDb, collected: Collected): Promise<WriteOutcome> {
  const names = [...new Set(collected.values.map(({ device }) => device))]
  const { samples, origins, faults } = groupValues(collected.values, await findDevices(tenant, names))
  const { setAside } = await deps.ingest.submitWithinQuota(tenant.tenantId, samples)
  const quarantined = setAside.map(({ index, reason }) => ({
    origin: origins[index] ?? 0,
    fault: COLLECTOR_TEXTS.COLLECTOR_SET_ASIDE({ reason }),
  }))
  return { count: collected.count, faults: [...collected.faults, ...faults, ...quarantined] }
}

/** Finds devices by id, then by external id, then by name; a text that several devices have is ambiguous. */
async function findDevices(tenant: TenantDb, names: readonly string[]) {
  const storable = names.filter((name) => !name.includes('\0'))
  const rows = storable.length === 0 ? [] : await findDevicesByText(tenant, storable)
  const keys = [
    indexBy(rows, ({ id }) => id),
    indexBy(rows, ({ external_id }) => external_id),
    indexBy(rows, ({ name }) => name),
  ]
  return (text: string): string | Message => {
    const ids = keys.map((index) => index.get(text)).find((list) => list !== undefined) ?? []
    const device = quoted(text)
    if (ids.length > 1) return COLLECTOR_TEXTS.COLLECTOR_DEVICE_AMBIGUOUS({ device })
    return ids[0] ?? COLLECTOR_TEXTS.COLLECTOR_DEVICE_UNKNOWN({ device })
  }
}

function indexBy<R extends { readonly id: string }>(rows: readonly R[], keyOf: (row: R) => string | null) {
  const index = new Map<string, string[]>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key !== null) index.set(key, [...(index.get(key) ?? []), row.id])
  }
  return index
}

async function decompress(body: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === '' || encoding === 'identity') return body
  if (encoding !== 'gzip')
    throw unsupported(COLLECTOR_TEXTS.COLLECTOR_ENCODING_UNKNOWN({ supported: 'gzip' }))
  try {
    return await promisify(gunzip)(body, { maxOutputLength: COLLECTOR_BODY_BYTES_MAX })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? bodyExceeded()
      : invalidBody(error)
  }
}
