import { instantOf } from '../../../kernel/time.ts'
import { UUID_PATTERN } from '../../../kernel/uuid.ts'
import type { Decoded, Message } from './types.ts'
import { Undecodable } from './types.ts'
import { parseObject } from './values.ts'

const UPDATE_TOPIC = new RegExp(`^ota/(${UUID_PATTERN})/(progress|chunk/request)$`)
const LABEL_MAX_LENGTH = 100
/** Longest accepted error text; the stored part is shorter. */
const ERROR_MAX_LENGTH = 2_000

export const OTA_FILTERS = ['ota/ask', 'ota/+/progress', 'ota/+/chunk/request'] as const
export const isOta = (topic: string): boolean => topic.startsWith('ota/')

type Json = Readonly<Record<string, unknown>>

function readText(json: Json, name: string, max = LABEL_MAX_LENGTH): string | undefined {
  const text = json[name]
  if (text === undefined || text === null) return undefined
  if (typeof text !== 'string' || text.length > max)
    throw new Undecodable('wrong_shape', `${name} is not a text of at most ${max} characters`)
  return text
}

function readWholeNumber(json: Json, name: string): number {
  const number = json[name]
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new Undecodable('wrong_shape', `${name} is not a whole number from 0 on`)
}

function readPercent(json: Json): number | undefined {
  const pct = json['progress_pct']
  if (pct === undefined || pct === null) return undefined
  if (typeof pct !== 'number' || !(pct >= 0 && pct <= 100))
    throw new Undecodable('wrong_shape', 'progress_pct is not a number from 0 to 100')
  return Math.floor(pct)
}

function readAttempt(json: Json): number | undefined {
  const attempt = json['attempt']
  return attempt === undefined || attempt === null ? undefined : readWholeNumber(json, 'attempt')
}

function readSentAt(json: Json): number | undefined {
  const sent = json['sent_at']
  if (sent === undefined || sent === null) return undefined
  const at = instantOf(sent)
  if (at === undefined) throw new Undecodable('bad_time', 'sent_at is no instant')
  return at
}

function toProgress(update: string, json: Json): Decoded {
  const state = readText(json, 'state')
  const error = readText(json, 'error', ERROR_MAX_LENGTH)
  const sha256 = readText(json, 'sha256')
  const version = readText(json, 'version')
  const progressPct = readPercent(json)
  const attempt = readAttempt(json)
  const saidAt = readSentAt(json)
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

/** Decodes the topics below `ota/`. Messages that the service publishes there itself are ignored. */
export function decodeOta({ topic, payload }: Message): Decoded {
  if (topic === 'ota/ask') return { firmware: { kind: 'ask' } }
  const [, update, what] = UPDATE_TOPIC.exec(topic) ?? []
  if (update === undefined) return {}
  const json = parseObject(payload)
  if (what === 'progress') return toProgress(update, json)
  return {
    firmware: {
      kind: 'piece',
      update,
      offset: readWholeNumber(json, 'offset'),
      size: readWholeNumber(json, 'size'),
    },
  }
}

/** Keys by which ThingsBoard devices report their firmware; they are not measurements. */
const FIRMWARE_KEYS: ReadonlySet<string> = new Set([
  ...['current_fw_title', 'current_fw_version', 'current_fw_checksum', 'current_fw_checksum_algorithm'],
  ...['fw_state', 'fw_error', 'fw_checksum'],
])

const truncatedText = (value: unknown, max = LABEL_MAX_LENGTH): string | undefined =>
  typeof value === 'string' && value.length > 0 ? value.slice(0, max) : undefined

/** The firmware state in a ThingsBoard sample; undefined when it has none. */
export function readFirmwareState(
  { device, at }: { readonly device: string | null; readonly at?: number },
  sample: Json,
): Decoded['firmware'] | undefined {
  const state = truncatedText(sample['fw_state'])
  const version = truncatedText(sample['current_fw_version'])
  if (state === undefined && version === undefined) return undefined
  const error = truncatedText(sample['fw_error'], ERROR_MAX_LENGTH)
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

/** True when a sample contains only firmware keys, and therefore is no reading. */
export const isFirmwareOnly = (sample: Json): boolean => {
  const keys = Object.keys(sample)
  return keys.length > 0 && keys.every((key) => FIRMWARE_KEYS.has(key))
}

const CHUNK = /^v2\/fw\/request\/(\d{1,10})\/chunk\/(\d{1,9})$/
export const CHUNK_FILTER = 'v2/fw/request/+/chunk/+'

/**
 * Decodes a ThingsBoard chunk request: the payload is the size of a chunk as text; empty for the whole
 * file.
 */
export function decodeChunkRequest({ topic, payload }: Message): Decoded | undefined {
  const [, request, chunk] = CHUNK.exec(topic) ?? []
  if (request === undefined) return undefined
  const text = payload.toString('utf8').trim()
  if (!/^\d{0,9}$/.test(text))
    throw new Undecodable('wrong_shape', 'the size of a chunk is not a whole number')
  const size = text === '' ? undefined : Number(text)
  return { firmware: { kind: 'chunk', request, chunk: Number(chunk), size } }
}

/** True when firmware attributes are among the requested shared attributes. */
export const requestsFirmware = (keys: readonly string[]): boolean =>
  keys.some((key) => key.startsWith('fw_'))
