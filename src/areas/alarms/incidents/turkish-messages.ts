import type { Operator, RuleKind } from '../../../core/alarms/rule.ts'
import { type Language, storedMessage, textOf } from '../../../kernel/messages.ts'
import { metricName } from '../../../kernel/metric-names.ts'
import { iso, TURKEY_OFFSET_MS } from '../../../kernel/time.ts'
import type { JsonColumns } from '../../../platform/db/json-columns.ts'

/** Comparison texts that need no suffix on the number or unit. */
const LEVELS: Readonly<Record<Operator, string>> = {
  gt: 'üzeri',
  gte: 've üzeri',
  lt: 'altı',
  lte: 've altı',
  eq: 'değeri',
  ne: 'dışı',
}

/** Formats a quantity such as `12.345,6 kW`. The sign of a percentage precedes the number. */
function quantity(value: number, unit: string | null): string {
  const number = value.toLocaleString('tr-TR', { maximumSignificantDigits: 9 })
  if (unit === '%') return `%${number}`
  return unit === null || unit === '1' ? number : `${number} ${unit}`
}

/** Turkey-local, 21.11.2026 00:30:00. */
function clockText(at: number): string {
  const local = iso(at + TURKEY_OFFSET_MS)
  return `${local.slice(8, 10)}.${local.slice(5, 7)}.${local.slice(0, 4)} ${local.slice(11, 19)}`
}

function spanText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} sa`
  return seconds % 60 === 0 ? `${seconds / 60} dk` : `${seconds} sn`
}

/** The payload of a device's incident (`payloadOf`); older incidents may lack some fields. */
interface Facts {
  readonly alarm_type?: RuleKind
  readonly device_name?: string
  readonly metric?: string | null
  readonly unit?: string | null
  readonly operator?: Operator
  readonly threshold?: number
  readonly value?: number
  readonly rate_per?: 'minute' | 'hour'
  readonly since?: string
  readonly silence_s?: number
}

/** The message of an incident in a language, with the stored English text for what has no other. */
export const messageIn = (
  language: Language,
  { message, payload }: { readonly message: string; readonly payload: unknown },
): string => (language === 'en' ? message : (messageInTurkish(payload) ?? message))

/** An incident or notification with its message in a language. */
export const inLanguage = <T extends { readonly message: string; readonly payload: unknown }>(
  language: Language,
  record: T,
): T => ({ ...record, message: messageIn(language, record) })

/** The details of an event with its texts in a language. */
export function detailsIn(language: Language, details: JsonColumns['alarm_event.details']) {
  if (language === 'en') return details
  const message = storedMessage(details)
  const { reason_code: code, reason_parameters: parameters } = details
  const reason = storedMessage({ message_code: code, message_parameters: parameters })
  return {
    ...details,
    ...(message && { message: textOf(message, language) }),
    ...(reason && { reason: textOf(reason, language) }),
  }
}

/**
 * The message of `messageOf` in Turkish, from the payload of an incident; undefined when a fact is missing.
 */
export function messageInTurkish(payload: unknown): string | undefined {
  const content = storedMessage(payload)
  if (content) return textOf(content, 'tr')
  const facts = (payload ?? {}) as Facts
  const { alarm_type: kind, device_name: device, metric = null, value } = facts
  if (kind === undefined || device === undefined) return undefined
  if (kind === 'no_data' || kind === 'offline') return silenceText(facts, device)
  if (metric === null || value === undefined) return undefined
  const name = metricName(metric, 'tr')
  const unit = facts.unit ?? null
  if (kind === 'counter_reset') return `${device}: ${name} sayacı ${quantity(Math.abs(value), unit)} geriledi`
  const { operator, threshold } = facts
  if (operator === undefined || threshold === undefined) return undefined
  const limit = `(alarm sınırı: ${quantity(threshold, unit)} ${LEVELS[operator]})`
  if (kind === 'threshold') return `${device}: ${name} ${quantity(value, unit)} ${limit}`
  const per = facts.rate_per === 'hour' ? 'saatte' : 'dakikada'
  return `${device}: ${name} değişimi ${per} ${quantity(value, unit)} ${limit}`
}

function silenceText({ metric, since, silence_s }: Facts, device: string): string | undefined {
  if (since === undefined || silence_s === undefined) return undefined
  const what = metric ? `${metricName(metric, 'tr')} değeri` : 'veri'
  const allowed = `(izin verilen süre: ${spanText(silence_s)})`
  return `${device}: ${clockText(Date.parse(since))} tarihinden beri ${what} göndermiyor ${allowed}`
}
