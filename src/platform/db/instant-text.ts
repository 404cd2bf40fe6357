import pg from 'pg'

const driverParse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text')

const ZERO = 48
const SPACE = 32
/** Where the fraction of a second begins, after its point. */
const FRACTION = 20
const ZONE = '+00'
const SHORTEST = 'YYYY-MM-DD hh:mm:ss+00'.length

const digit = (text: string, index: number): number => text.charCodeAt(index) - ZERO
const twoDigits = (text: string, index: number): number => 10 * digit(text, index) + digit(text, index + 1)

/** Whether an instant is as the server writes it in UTC, of a year between 100 and 9999. */
const isPlain = (text: string): boolean =>
  text.length >= SHORTEST && text.charCodeAt(10) === SPACE && text.endsWith(ZONE) && !text.startsWith('00')

/**
 * The value of a timestamptz, to the millisecond, as the driver reads it. The driver takes its parts by regular
 * expressions, which is a tenth of the processor time of a page with two instants in each row.
 */
export function parseInstantText(text: string): Date {
  if (!isPlain(text)) return driverParse(text) as Date
  let milliseconds = 0
  let unit = 100
  const end = text.length - ZONE.length
  for (let index = FRACTION; index < end && unit >= 1; index++) {
    milliseconds += digit(text, index) * unit
    unit /= 10
  }
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2)
  const [month, day] = [twoDigits(text, 5) - 1, twoDigits(text, 8)]
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)]
  return new Date(Date.UTC(year, month, day, hour, minute, second, milliseconds))
}
