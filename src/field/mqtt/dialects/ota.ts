import type { Decoded, Message } from './types.ts'
import { Undecodable } from './types.ts'
import { instantOf, parseObject } from './values.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const OF_AN_UPDATE = new RegExp(`^ota/(${UUID})/(progress|chunk/request)$`)
const WORD_MAX = 100
/** What is kept of an error is shorter still. */
const TEXT_MAX = 2_000

export const OTA_FILTERS = ['ota/ask', 'ota/+/progress', 'ota/+/chunk/request'] as const
export const isOta = (topic: string): boolean => topic.startsWith('ota/')

type Json = Readonly<Record<string, unknown>>

function textIn(json: Json, name: string, max = WORD_MAX): string | undefined {
  const text = json[name]
  if (text === undefined || text === null) return undefined
  if (typeof text !== 'string' || text.length > max)
    throw new Undecodable('wrong_shape', `${name} is not a text of at most ${max} characters`)
  return text
}

function wholeIn(json: Json, name: string): number {
  const number = json[name]
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new Undecodable('wrong_shape', `${name} is not a whole number from 0 on`)
}

function percentIn(json: Json): number | undefined {
  const pct = json['progress_pct']
  if (pct === undefined || pct === null) return undefined
  if (typeof pct !== 'number' || !(pct >= 0 && pct <= 100))
    throw new Undecodable('wrong_shape', 'progress_pct is not a number from 0 to 100')
  return Math.floor(pct)
}

function attemptIn(json: Json): number | undefined {
  const attempt = json['attempt']
  return attempt === undefined || attempt === null ? undefined : wholeIn(json, 'attempt')
}

function saidAtIn(json: Json): number | undefined {
  const sent = json['sent_at']
  if (sent === undefined || sent === null) return undefined
  const at = instantOf(sent)
  if (at === undefined) throw new Undecodable('bad_time', 'sent_at is no instant')
  return at
}

function progressOf(update: string, json: Json): Decoded {
  const state = textIn(json, 'state')
  const error = textIn(json, 'error', TEXT_MAX)
  const sha256 = textIn(json, 'sha256')
  const version = textIn(json, 'version')
  const progressPct = percentIn(json)
  const attempt = attemptIn(json)
  const saidAt = saidAtIn(json)
  return {
    firmware: {
      kind: 'progress',
      update,
      ...(state !== undefined && { state }),
      ...(error !== undefined && { error }),
      ...(sha256 !== undefined && { sha256 }),
      ...(version !== undefined && { version }),
      ...(progressPct !== undefined && { progressPct }),
      ...(attempt !== undefined && { attempt }),
      ...(saidAt !== undefined && { reportedAt: saidAt }),
    },
  }
}

/** Our own topics below `ota/`: docs/understand/ota.md. What we send ourselves there says nothing to us. */
export function decodeOta({ topic, payload }: Message): Decoded {
  if (topic === 'ota/ask') return { firmware: { kind: 'ask' } }
  const [, update, what] = OF_AN_UPDATE.exec(topic) ?? []
  if (update === undefined) return {}
  const json = parseObject(payload)
  if (what === 'progress') return progressOf(update, json)
  return { firmware: { kind: 'piece', update, offset: wholeIn(json, 'offset'), size: wholeIn(json, 'size') } }
}

/** The words of ThingsBoard's devices about their firmware; they are no measurements. */
const FW_KEYS: ReadonlySet<string> = new Set([
  ...['current_fw_title', 'current_fw_version', 'current_fw_checksum', 'current_fw_checksum_algorithm'],
  ...['fw_state', 'fw_error', 'fw_checksum'],
])

const shortText = (value: unknown, max = WORD_MAX): string | undefined =>
  typeof value === 'string' && value.length > 0 ? value.slice(0, max) : undefined

/** What a sample of ThingsBoard says of the firmware; undefined for one that is about something else. */
export function stateIn(
  { device, at }: { readonly device: string | null; readonly at?: number },
  sample: Json,
): Decoded['firmware'] | undefined {
  const state = shortText(sample['fw_state'])
  const version = shortText(sample['current_fw_version'])
  if (state === undefined && version === undefined) return undefined
  const error = shortText(sample['fw_error'], TEXT_MAX)
  const sha256 = /^[0-9a-f]{64}$/i.exec(String(sample['fw_checksum'] ?? ''))?.[0]
  return {
    kind: 'state',
    device,
    ...(state !== undefined && { state }),
    ...(version !== undefined && { version }),
    ...(error !== undefined && { error }),
    ...(sha256 !== undefined && { sha256 }),
    ...(at !== undefined && { reportedAt: at }),
  }
}

/** Whether a sample holds nothing else, and so is no reading. */
export const isFirmwareOnly = (sample: Json): boolean => {
  const keys = Object.keys(sample)
  return keys.length > 0 && keys.every((key) => FW_KEYS.has(key))
}

const CHUNK = /^v2\/fw\/request\/(\d{1,10})\/chunk\/(\d{1,9})$/
export const CHUNK_FILTER = 'v2/fw/request/+/chunk/+'

/** ThingsBoard: the payload is the size of a chunk as text; empty for the whole file. */
export function chunkRequest({ topic, payload }: Message): Decoded | undefined {
  const [, request, chunk] = CHUNK.exec(topic) ?? []
  if (request === undefined) return undefined
  const text = payload.toString('utf8').trim()
  if (!/^\d{0,9}$/.test(text))
    throw new Undecodable('wrong_shape', 'the size of a chunk is not a whole number')
  const size = text === '' ? undefined : Number(text)
  return { firmware: { kind: 'chunk', request, chunk: Number(chunk), size } }
}

/** Whether shared attributes are asked for that are the firmware's. */
export const asksForFirmware = (keys: readonly string[]): boolean => keys.some((key) => key.startsWith('fw_'))
