import type { Message } from '../../../kernel/messages.ts'
import { DAY_MS, dayStart, HOUR_MS, parseInstant } from '../../../kernel/time.ts'
import { type Cell, type Clock, readClock, readDay } from '../../../platform/tables/index.ts'
import { HOUR_TEXTS } from './messages.ts'

/**
 * Whether an hour is labelled by its end or its start: 01:00 is the hour from 00:00 (`hour_ending`) or from
 * 01:00.
 */
export const LABELS = ['hour_ending', 'hour_starting'] as const
export type Label = (typeof LABELS)[number]

/** The start of an hour, or the reason why the label is invalid. */
export type LabelledHour =
  | { readonly hour: number; readonly fault?: undefined }
  | { readonly fault: Message; readonly hour?: undefined }

const NO_HOUR: LabelledHour = { fault: HOUR_TEXTS.HOUR_NOT_WHOLE() }
const NO_DATE: LabelledHour = { fault: HOUR_TEXTS.HOUR_WITHOUT_DATE() }
const TWO_HOURS: LabelledHour = { fault: HOUR_TEXTS.HOUR_CONTRADICTORY() }
const NO_START: LabelledHour = { fault: HOUR_TEXTS.HOUR_BEGINS_NOTHING() }

const labelled = (at: number, label: Label): LabelledHour => {
  if (at % HOUR_MS !== 0) return NO_HOUR
  return { hour: label === 'hour_ending' ? at - HOUR_MS : at }
}

/** Returns the hour of an instant in JSON; an instant without an offset is Turkey-local. */
export function hourOfText(text: string, label: Label): LabelledHour {
  const instant = parseInstant(text)
  if (!instant) return { fault: HOUR_TEXTS.HOUR_NO_INSTANT() }
  if (label === 'hour_starting' && /[T ]24:/.test(text)) return NO_START
  return labelled(instant.at, label)
}

/** Reads the hours of a file's rows in order. The previous row decides the meaning of 00:00. */
export class HourReader {
  private readonly label: Label
  private lastDay = Number.NaN
  private lastHours = Number.NaN

  constructor(label: Label) {
    this.label = label
  }

  /** `time` is the cell of a separate column; without one the time follows the date in its cell. */
  read(date: Cell, time: Cell | undefined): LabelledHour {
    const instant = time === undefined && date.kind === 'text' ? parseInstant(date.text) : undefined
    if (instant?.hasOffset) return labelled(instant.at, this.label)
    const found = readDay(date)
    if (!found) return NO_DATE
    const clock = readClock(time === undefined ? (found.rest ?? '00:00') : textOf(time))
    if (!clock) return NO_HOUR
    if (time !== undefined && contradicts(found.rest, clock)) return TWO_HOURS
    return this.at(dayStart(found.date), clock, time !== undefined)
  }

  /**
   * In a column separate from the date, 00:00 right after 23:00 of the same date is the end of the day,
   * because spreadsheets show 24:00 as 00:00. Anywhere else it is the start of the day.
   */
  private at(day: number, { hour: hours, isRange }: Clock, hasOwnColumn: boolean): LabelledHour {
    const isDaysEnd = hasOwnColumn && !isRange && hours === 0 && this.lastDay === day && this.lastHours === 23
    this.lastDay = day
    this.lastHours = hours
    if (isRange) return { hour: day + hours * HOUR_MS }
    if (isDaysEnd || hours === 24) {
      return this.label === 'hour_ending' ? { hour: day + DAY_MS - HOUR_MS } : NO_START
    }
    return labelled(day + hours * HOUR_MS, this.label)
  }
}

/**
 * True when the time in the date's cell contradicts the column. Midnight is no contradiction, because
 * spreadsheets add it to a plain date.
 */
function contradicts(rest: string | undefined, { hour, isRange }: Clock): boolean {
  if (rest === undefined) return false
  const hourInDate = readClock(rest)?.hour
  return hourInDate !== 0 && hourInDate !== hour && !(isRange && hourInDate === hour + 1)
}

const textOf = (cell: Cell): string => {
  if (cell.kind === 'empty') return ''
  return cell.kind === 'time' ? cell.time : cell.text
}
