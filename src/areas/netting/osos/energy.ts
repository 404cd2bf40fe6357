import { type Kwh, roundDiv, wh } from '../../../kernel/decimal.ts'
import type { Message } from '../../../kernel/messages.ts'
import { OSOS_HOUR_KWH_MAX } from './limits.ts'
import { READING_TEXTS } from './messages.ts'

const WH_PER_MILLIONTH = 1000n
const MILLION = 1_000_000n
const HOUR_MAX = BigInt(OSOS_HOUR_KWH_MAX) * 1000n

/**
 * The unit of the numbers of a request or file: kWh, or steps of the meter that are still to be multiplied.
 */
export interface Scale {
  /** True: the values are kWh. False: each is multiplied by the installation's multiplier. */
  readonly multiplied: boolean
  /** The multiplier of the installation in millionths. */
  readonly multiplier: bigint
}

/** Returns the energy of a value in millionths: multiplied exactly, then rounded half up to the Wh. */
export const energyOf = (value: bigint, { multiplied, multiplier }: Scale): Kwh =>
  wh(
    multiplied ? roundDiv(value, WH_PER_MILLIONTH) : roundDiv(value * multiplier, WH_PER_MILLIONTH * MILLION),
  )

/**
 * One hour as it was sent; values in millionths of a kWh or of the meter's step, null where there is none.
 */
export interface SentHour {
  readonly hour: number
  readonly imported: bigint | null
  readonly exported: bigint | null
  /** The original text, stored with a suspect reading; it may be empty where no energy is negative. */
  readonly rawText: string
  /** Percent of the hour that readings cover; 100 when absent. */
  readonly completenessPct?: number
  /** The register fell in or around the hour. */
  readonly isReset?: boolean
}

/** An hour after validation and scaling. */
export type ClassifiedHour =
  | { readonly kind: 'valid'; readonly importKwh: Kwh | null; readonly exportKwh: Kwh | null }
  | { readonly kind: 'suspect'; readonly rawText: string }
  | { readonly kind: 'rejected'; readonly content: Message }

/**
 * Classifies an hour. A negative energy makes the whole hour suspect: its text is stored, and it has no value
 * (netting.md 2.0).
 */
export function classifyHour({ imported, exported, rawText }: SentHour, scale: Scale): ClassifiedHour {
  if (imported === null && exported === null)
    return { kind: 'rejected', content: READING_TEXTS.READING_WITHOUT_VALUE() }
  if ((imported ?? 0n) < 0n || (exported ?? 0n) < 0n) return { kind: 'suspect', rawText }
  const importKwh = imported === null ? null : energyOf(imported, scale)
  const exportKwh = exported === null ? null : energyOf(exported, scale)
  if ((importKwh ?? 0n) > HOUR_MAX || (exportKwh ?? 0n) > HOUR_MAX) {
    return { kind: 'rejected', content: READING_TEXTS.READING_TOO_LARGE({ max: OSOS_HOUR_KWH_MAX }) }
  }
  return { kind: 'valid', importKwh, exportKwh }
}

const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/

/**
 * Parses a decimal as millionths; undefined when the text is no decimal, or has more decimals than
 * `decimals`.
 */
export function parseMillionths(text: string, decimals: 3 | 6): bigint | undefined {
  const match = DECIMAL.exec(text)
  const fraction = match?.[3] ?? ''
  if (!match || fraction.length > decimals) return undefined
  const value = BigInt((match[2] ?? '') + fraction.padEnd(6, '0'))
  return match[1] ? -value : value
}
