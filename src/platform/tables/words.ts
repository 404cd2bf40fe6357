import type { Cell } from './table.ts'

const LETTERS: Readonly<Record<string, string>> = {
  ı: 'i',
  ş: 's',
  ç: 'c',
  ğ: 'g',
  ö: 'o',
  ü: 'u',
  â: 'a',
  î: 'i',
}

/**
 * A header as tables spell it in any case: small letters without Turkish marks (the dotted and the dotless i
 * are one), one space between words; TL and ₺ are TRY.
 */
export const plain = (text: string): string =>
  text
    .replace(/İ/g, 'i')
    .replace(/I/g, 'ı')
    .toLowerCase()
    .replace(/[ışçğöüâî]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/₺|\btl\b/g, ' try ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const TOTAL = /^\s*(genel\s+)?(toplam|total|sum)\b/i

/** Whether a row is a total below the others, by the first cell that is not empty. */
export const isTotal = (cells: readonly Cell[]): boolean => {
  const first = cells.find((cell) => cell.kind !== 'empty')
  return first?.kind === 'text' && TOTAL.test(first.text)
}

/** What a spreadsheet does not show at the beginning of a cell: white space, marks of order and direction. */
const UNSEEN = /^[\s\p{Cf}]+/u
/** As they are, and in the full width that East Asian spreadsheets take for the same. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * Whether a spreadsheet may take the text for a formula, also when something that is not seen stands before
 * it.
 */
export const isLikeFormula = (raw: string): boolean =>
  FORMULA_START.test(raw) || FORMULA_START.test(raw.replace(UNSEEN, ''))
