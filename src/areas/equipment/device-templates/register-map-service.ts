import { createHash } from 'node:crypto'
import {
  CSV_FAULTS,
  type Fault,
  type Imported,
  importSunspec,
  importZigbee,
  type MapDocument,
  openDocument,
  readCsv,
  readRegisterMap,
  runFrames,
  type Transport,
  writeCsv,
} from '../../../core/register-map/index.ts'
import { AppError, conflict, found, unprocessable } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { readIfMatch } from '../../../platform/http/if-match.ts'
import { TEMPLATE_NOTES, TEMPLATE_TEXTS } from './messages.ts'
import { type CheckedMap, checkDocument, invalidRegisterMap } from './register-map-check.ts'
import type { ImportFormat, ImportTemplate, MapFormat } from './schema.ts'
import { lockOwnTemplate } from './service.ts'
import * as store from './store.ts'

function checkCsv(bytes: Buffer): CheckedMap {
  const faults: Fault[] = []
  const { document, pathInFile } = readCsv(decodeUtf8(bytes), faults)
  const result = readRegisterMap(document)
  const all = [...faults, ...('faults' in result ? result.faults : [])]
  if (all.length > 0)
    throw invalidRegisterMap(all.map((fault) => ({ ...fault, path: pathInFile(fault.path) })))
  return checkDocument(document, ['body'])
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidRegisterMap([{ path: [], content: CSV_FAULTS.MAP_CSV_NOT_UTF8(), type: 'csv' }])
  }
}

/** Decodes the frames of a document with its map; nothing is stored. 422 with all faults. */
export function decodeFrames(document: unknown) {
  const result = runFrames(document)
  if ('faults' in result) throw invalidRegisterMap(result.faults)
  const { frames } = result
  const matches = frames.flatMap(({ values }) => values.map(({ is_match }) => is_match))
  return {
    frames: frames.map(({ name, values }) => ({ name, values: [...values] })),
    matched: matches.filter((isMatch) => isMatch === true).length,
    differing: matches.filter((isMatch) => isMatch === false).length,
  }
}

export interface MapFile {
  readonly name: string
  readonly type: string
  readonly body: string
  readonly etag: string
}

const TYPES = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const

/** Serializes the register map of a template. 404 without a map; 409 for a CSV of a map without a format. */
export function toMapFile(template: store.TemplateRow, format: MapFormat): MapFile {
  const stored = found('register map', template.register_map ?? undefined)
  const document = openDocument(stored)
  if (!document && format === 'csv')
    throw conflict('STATE_CONFLICT', TEMPLATE_TEXTS.REGISTER_MAP_WITHOUT_TABLE())
  const body =
    document && format === 'csv' ? writeCsv(document) : `${JSON.stringify(document ?? stored, null, 2)}\n`
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const plain = template.name.normalize('NFKD').replace(/[^\w.-]+/g, '-')
  return { name: `${plain.slice(0, 100)}.${format}`, type: TYPES[format], body, etag: `"${hash}"` }
}

/** Uploaded content: parsed JSON, or the bytes of a CSV. */
export interface MapUpload {
  readonly id: string
  readonly content: { readonly json: unknown } | { readonly csv: Buffer }
  /** If-Match header: the ETag of a download that must still be current. */
  readonly ifMatch: string | undefined
}

/**
 * Replaces the register map of a template and sets its protocols to the transports of the map. 404 when
 * unknown, 409 for a system template, 412 when the map has changed since the given ETag, 422 with all faults.
 */
export async function uploadMap(tx: TenantTx, { id, content, ifMatch }: MapUpload) {
  const template = await lockOwnTemplate(tx, id)
  if (ifMatch !== undefined && !matchesEtag(template, ifMatch))
    throw new AppError(412, 'PRECONDITION_FAILED', TEMPLATE_TEXTS.REGISTER_MAP_CHANGED())
  const { document, notes } = 'csv' in content ? checkCsv(content.csv) : checkDocument(content.json, ['body'])
  const row = await store.update(tx, id, {
    register_map: { ...document },
    protocols: [...document.transports],
    vendor: template.vendor ?? document.vendor,
    model: template.model ?? document.model,
  })
  return {
    ...found('device template', row),
    notes: [...notes, ...(await noteUnreachableDevices(tx, id, document))],
  }
}

/**
 * Notes how many devices of the template are connected through gateways over which the new map cannot be
 * read.
 */
async function noteUnreachableDevices(
  tx: TenantTx,
  id: string,
  { transports }: MapDocument,
): Promise<CheckedMap['notes']> {
  const { overModbus, overBroker } = await store.countDevices(tx, id)
  const has = (kinds: readonly Transport[]) => transports.some((transport) => kinds.includes(transport))
  const unreachable = [
    {
      count: has(['modbus_tcp', 'modbus_rtu']) ? 0 : overModbus,
      textOfCount: TEMPLATE_NOTES.TEMPLATE_DEVICES_OVER_MODBUS,
    },
    {
      count: has(['mqtt', 'zigbee']) ? 0 : overBroker,
      textOfCount: TEMPLATE_NOTES.TEMPLATE_DEVICES_OVER_BROKER,
    },
  ]
  return unreachable.flatMap(({ count, textOfCount }) =>
    count === 0 ? [] : [{ key: null, note: textOfCount({ count }) }],
  )
}

function matchesEtag(template: store.TemplateRow, ifMatch: string): boolean {
  const etags = readIfMatch(ifMatch)
  if (!template.register_map) return false
  const formats: readonly MapFormat[] = openDocument(template.register_map) ? ['json', 'csv'] : ['json']
  return etags === '*' || formats.some((format) => etags.includes(toMapFile(template, format).etag))
}

const IMPORTERS: Readonly<Record<ImportFormat, (body: ImportTemplate, faults: Fault[]) => Imported>> = {
  sunspec: ({ document, base_address }, faults) =>
    importSunspec(document, faults, { baseAddress: base_address }),
  zigbee2mqtt: ({ document }, faults) => importZigbee(document, faults),
}

/**
 * Creates a template from a SunSpec model or zigbee2mqtt exposes. 422 with all faults, of the input or of the
 * resulting map.
 */
export async function importTemplate(tx: TenantTx, format: ImportFormat, body: ImportTemplate) {
  const faults: Fault[] = []
  const imported = IMPORTERS[format](body, faults)
  if (faults.length > 0) throw invalidRegisterMap(faults, ['body', 'document'])
  const { document, notes } = checkDocument(imported.document, ['body', 'document', 'made'])
  if (document.registers.length === 0)
    throw unprocessable('BUSINESS_RULE_VIOLATION', TEMPLATE_TEXTS.REGISTER_MAP_EMPTY())
  const row = await store.create(tx, {
    name: body.name,
    device_type: body.device_type,
    vendor: body.vendor ?? document.vendor,
    model: body.model ?? document.model,
    protocols: [...document.transports],
    register_map: { ...document },
  })
  return { ...row, notes: [...imported.notes, ...notes] }
}
