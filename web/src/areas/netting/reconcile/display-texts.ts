/** What the API names by codes and local times, in the words and formats of the reader. */
import type { Language, Message } from '../../../../../src/kernel/messages.ts'
import { formatDay, formatInstant, formatMonth } from '../../../kernel/dates.ts'
import { valueText } from '../../../records/value-texts.ts'
import { RECONCILE_TEXTS } from './texts.ts'

const MONTH = /^\d{4}-\d{2}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const HOUR = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})$/
const STEP = /^step (\d+)$/

/** The instant of an hour, `YYYY-MM-DD HH:MM` in the time of Turkey; undefined for a day or a month. */
export function instantOfHour(time: string): string | undefined {
  const [, day, minute] = HOUR.exec(time) ?? []
  return day && minute ? new Date(`${day}T${minute}:00+03:00`).toISOString() : undefined
}

/** The text of a local hour, day or month. */
export function timeText(time: string, language: Language): string {
  const instant = instantOfHour(time)
  if (instant) return formatInstant(instant, 'dateTime', language)
  if (DAY.test(time)) return formatDay(time, language)
  return MONTH.test(time) ? formatMonth(time, language) : time
}

/** The text of a tariff row: month, subscriber group, purpose, time segment, step, class and voltage. */
export function priceNameText(name: string, t: (message: Message) => string, language: Language): string {
  const partText = (part: string) => {
    const step = STEP.exec(part)?.[1]
    if (step) return t(RECONCILE_TEXTS.RECONCILE_STEP({ number: step }))
    return MONTH.test(part) ? formatMonth(part, language) : valueText(part, t)
  }
  return name.split(', ').map(partText).join(' · ')
}
