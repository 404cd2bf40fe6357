import { isRecord } from '../../../kernel/checked.ts'
import { formatPrice, roundDiv, type TryPerKwh } from '../../../kernel/decimal.ts'
import { type Message, textOf } from '../../../kernel/messages.ts'
import {
  dayStart,
  floorHour,
  HOUR_MS,
  localDate,
  localHour,
  parseInstant,
  type Range,
} from '../../../kernel/time.ts'
import { PLATFORM_TEXTS } from './messages.ts'

/** A price as published. */
export interface PublishedPrice {
  /** The start of the hour, epoch milliseconds. */
  readonly ts: number
  /** TRY/MWh with six decimals. */
  readonly price: string
}

/** A 200 response with unexpected content. The message quotes nothing of it. */
export class UnreadableResponse extends Error {
  readonly content: Message
  constructor(content: Message) {
    super(textOf(content))
    this.content = content
  }
}

export interface ReadOptions {
  /** Fields that may contain the price of an item; the first present one is used. */
  readonly fields: readonly string[]
  /** The requested range; prices of hours outside of it are skipped. */
  readonly range: Range
}

/**
 * Reads the prices of a response, in the order of the hours. An hour with a null price is not published yet
 * and is left out; an hour that is repeated with the same price counts once. Throws UnreadableResponse
 * instead of returning a part of the prices.
 */
export function readPrices(text: string, { fields, range }: ReadOptions): PublishedPrice[] {
  const prices = new Map<number, string>()
  for (const [index, item] of itemsOf(text).entries()) {
    const where = { item: index + 1 }
    if (!isRecord(item)) throw new UnreadableResponse(PLATFORM_TEXTS.PLATFORM_ITEM_NO_OBJECT(where))
    const ts = hourOf(item)
    if (ts === undefined) throw new UnreadableResponse(PLATFORM_TEXTS.PLATFORM_ITEM_HOUR(where))
    const field = fields.find((name) => name in item)
    if (field === undefined)
      throw new UnreadableResponse(
        PLATFORM_TEXTS.PLATFORM_ITEM_FIELD({ ...where, fields: fields.join(' / ') }),
      )
    if (item[field] === null || ts < range.from || ts >= range.to) continue
    const price = readPrice(item[field])
    if (price === undefined) throw new UnreadableResponse(PLATFORM_TEXTS.PLATFORM_ITEM_PRICE(where))
    if ((prices.get(ts) ?? price) !== price)
      throw new UnreadableResponse(PLATFORM_TEXTS.PLATFORM_ITEM_REPEATED(where))
    prices.set(ts, price)
  }
  return [...prices].map(([ts, price]) => ({ ts, price })).sort((a, b) => a.ts - b.ts)
}

/** The items are at the top level, or below `body` or `data`. */
function itemsOf(text: string): readonly unknown[] {
  let json: unknown
  try {
    json = parseExactJson(text)
  } catch {
    throw new UnreadableResponse(PLATFORM_TEXTS.PLATFORM_NO_JSON())
  }
  for (const candidate of [json, ...(isRecord(json) ? [json['body'], json['data']] : [])]) {
    if (Array.isArray(candidate)) return candidate
    if (isRecord(candidate) && Array.isArray(candidate['items'])) return candidate['items']
  }
  throw new UnreadableResponse(PLATFORM_TEXTS.PLATFORM_NO_ITEMS())
}

/**
 * The hour may be part of the date, or a field of its own such as `05:00`. Where both are present they must
 * agree.
 */
function hourOf({ date, hour }: Record<string, unknown>): number | undefined {
  const at = typeof date === 'string' ? parseInstant(date)?.at : undefined
  if (at === undefined || floorHour(at) !== at) return undefined
  if (hour === undefined || hour === null) return at
  const named = /^(\d{1,2})(?::00(?::00)?)?(?:\s*-.*)?$/.exec(String(hour))?.[1]
  if (named === undefined || Number(named) > 23) return undefined
  const inDate = localHour(at)
  if (inDate !== 0 && inDate !== Number(named)) return undefined
  return dayStart(localDate(at)) + Number(named) * HOUR_MS
}

const NUMBER = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/
const MILLIONTHS = 6
/** Digits of the table's column. */
const DIGITS_MAX = 12

/**
 * The exact decimal of a number's text with six decimal places; further places are rounded half away from
 * zero.
 */
export function readPrice(value: unknown): string | undefined {
  const match = typeof value === 'string' ? NUMBER.exec(value.trim()) : null
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent) - fraction.length + MILLIONTHS
  const digits = BigInt(sign + whole + fraction)
  const millionths = shift >= 0 ? digits * 10n ** BigInt(shift) : roundDiv(digits, 10n ** BigInt(-shift))
  const text = formatPrice(millionths as TryPerKwh)
  return text.length <= DIGITS_MAX + MILLIONTHS + 1 + (text.startsWith('-') ? 1 : 0) ? text : undefined
}

/** A complete JSON string, or a number outside a string. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Parses JSON and returns every number as its original text, because a double is not the published decimal.
 * Throws SyntaxError on invalid JSON.
 */
export function parseExactJson(json: string): unknown {
  JSON.parse(json)
  return JSON.parse(json.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}
