/** The text of each fault of a row, by its code. Codes are added, never renamed. */
const TEXTS = {
  TIME_UNREADABLE:
    'has no date and time, such as 01.11.2026 13:15, 2026-11-01T13:15:00+03:00 or a date and an hour in two columns',
  TIME_CONTRADICTORY: 'names one time beside its date and another in its column',
  TIME_BEGINS_NO_INTERVAL: '24:00 ends a day and begins no interval',
  TIME_OFF_GRID: 'is not at the edge of an interval of the declared length',
  TIME_IN_FUTURE: 'lies in the future',
  TIME_TOO_EARLY: 'lies before the first billing period',
  VALUE_UNREADABLE: 'has a value that is no number with the decimal mark of the file',
  VALUE_NEGATIVE: 'has a register below zero',
  VALUE_TOO_LARGE: 'has a value that is too large',
  TIME_REPEATED: 'repeats the time of another row with another value',
  HOUR_REJECTED: 'begins an hour that cannot be stored',
} as const

export type FaultCode = keyof typeof TEXTS

/** The reason why a row is invalid. */
export interface RowFault {
  readonly row: number
  readonly code: FaultCode
  readonly message: string
}

export const rowFault = (row: number, code: FaultCode, detail?: string): RowFault => ({
  row,
  code,
  message: detail === undefined ? TEXTS[code] : `${TEXTS[code]}: ${detail}`,
})
