import type { Message } from '../../../../kernel/messages.ts'
import { DAY_MS, dayStart, HOUR_MS, parseInstant, TURKEY_OFFSET_MS } from '../../../../kernel/time.ts'
import { type Cell, readDay, readTimeOfDay, type TimeOfDay } from '../../../../platform/tables/index.ts'
import type { Label } from '../../shared/index.ts'
import { ROW_TEXTS } from './messages.ts'

/** The instant of a register reading or the start of an interval, or the fault of the time. */
export type ReadTime =
  | { readonly at: number; readonly fault?: undefined }
  | { readonly fault: Message; readonly at?: undefined }

export interface TimeRules {
  /** Null: the times are instants of register readings. */
  readonly label: Label | null
  /** The length of an interval; undefined for register readings. */
  readonly intervalMs: number | undefined
  /** The offset of times without one of their own. */
  readonly utcOffsetMs: number
}

const MINUTE_MS = 60_000
/** From this time of day on, 00:00 of the same date in the next row is the end of the day. */
const LATE_MS = 23 * HOUR_MS

/** Reads the times of a file's rows in order. The previous row decides the meaning of 00:00. */
export class TimeReader {
  private readonly rules: TimeRules
  private lastDay = Number.NaN
  private lastMs = Number.NaN

  constructor(rules: TimeRules) {
    this.rules = rules
  }

  /** `time` is the cell of a separate column; without one the time follows the date in its cell. */
  read(date: Cell, time: Cell | undefined): ReadTime {
    const instant = time === undefined && date.kind === 'text' ? parseInstant(date.text) : undefined
    if (instant?.hasOffset) return this.labelled(instant.at)
    const day = readDay(date)
    if (!day) return { fault: ROW_TEXTS.ROW_TIME_UNREADABLE() }
    const clock = readTimeOfDay(time === undefined ? (day.rest ?? '00:00') : textOf(time))
    if (!clock) return { fault: ROW_TEXTS.ROW_TIME_UNREADABLE() }
    const inDate = time === undefined || day.rest === undefined ? undefined : readTimeOfDay(day.rest)
    // Spreadsheets add midnight to a plain date.
    if (inDate && inDate.fromMs !== 0 && inDate.fromMs !== clock.fromMs)
      return { fault: ROW_TEXTS.ROW_TIME_CONTRADICTORY() }
    const midnight = dayStart(day.date) + TURKEY_OFFSET_MS - this.rules.utcOffsetMs
    return this.atClock(midnight, clock, time !== undefined)
  }

  private atClock(midnight: number, { fromMs, toMs }: TimeOfDay, hasOwnColumn: boolean): ReadTime {
    // Spreadsheets show 24:00 as 00:00 of the same date.
    const isDaysEnd =
      hasOwnColumn &&
      toMs === undefined &&
      fromMs === 0 &&
      this.lastDay === midnight &&
      this.lastMs >= LATE_MS
    this.lastDay = midnight
    this.lastMs = fromMs
    const { label, intervalMs } = this.rules
    if (toMs !== undefined) {
      const length = toMs - fromMs
      const isInterval = length === intervalMs || length + MINUTE_MS === intervalMs
      return isInterval ? this.onGrid(midnight + fromMs) : { fault: ROW_TEXTS.ROW_TIME_OFF_GRID() }
    }
    const ms = isDaysEnd ? DAY_MS : fromMs
    if (ms === DAY_MS && label === 'hour_starting') return { fault: ROW_TEXTS.ROW_TIME_BEGINS_NO_INTERVAL() }
    return this.labelled(midnight + ms)
  }

  private labelled(at: number): ReadTime {
    const { label, intervalMs = 0 } = this.rules
    return this.onGrid(label === 'hour_ending' ? at - intervalMs : at)
  }

  private onGrid(at: number): ReadTime {
    const { intervalMs } = this.rules
    return intervalMs !== undefined && at % intervalMs !== 0
      ? { fault: ROW_TEXTS.ROW_TIME_OFF_GRID() }
      : { at }
  }
}

const textOf = (cell: Cell): string => {
  if (cell.kind === 'empty') return ''
  return cell.kind === 'time' ? cell.time : cell.text
}
