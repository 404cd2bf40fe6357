/** CSV files in the browser: read to be corrected cell by cell, and written again. */
const DELIMITERS = [';', '\t', ','] as const

/** The rows of a file, including blank ones, with the delimiter that its first row has most often. */
export function parseCsv(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, '')
  const [header = ''] = content.split('\n', 1)
  const count = (delimiter: string): number => header.split(delimiter).length
  const delimiter = DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best))
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let index = 0; index < content.length; index++) {
    const character = content[index] ?? ''
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (content[index + 1] === '"') {
        cell += '"'
        index += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === delimiter) endCell()
    else if (character === '\n') endRow()
    else if (character !== '\r') cell += character
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

const quoted = (cell: string): string => (/["\n\r;,\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The text of rows, with semicolons: decimals may have commas. */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(';')}\r\n`).join('')
