/** A record of a CSV text, with the line on which it begins. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

const quoted = (cell: string, delimiter: string): string =>
  cell.includes('"') || cell.includes(delimiter) || /[\r\n]|^\s|\s$/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell

export const writeRecord = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(cell, ',')).join(',')}\r\n`

/** RFC 4180, cells exactly as they stand; undefined when a quote is not closed. */
export function readRecords(text: string, delimiter: string): CsvRecord[] | undefined {
  const records: CsvRecord[] = []
  let cells: string[] = []
  let [at, line, firstLine] = [0, 1, 1]
  while (at < text.length) {
    const cell = readCell(text, at, delimiter)
    if (!cell) return undefined
    cells.push(cell.value)
    line += cell.value.split('\n').length - 1
    at = cell.end
    if (text[at] === delimiter) {
      at += 1
      if (at < text.length) continue
      cells.push('')
    }
    records.push({ line: firstLine, cells })
    cells = []
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    line += 1
    firstLine = line
  }
  return records.filter((record) => record.cells.some((cell) => cell.trim() !== ''))
}

/** A cell, and where its delimiter, line end or the end of the text stands. */
function readCell(text: string, start: number, delimiter: string) {
  if (text[start] !== '"') {
    let end = start
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
    return { value: text.slice(start, end), end }
  }
  let [value, at] = ['', start + 1]
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return undefined
    value += text.slice(at, quote)
    at = quote + 1
    if (text[at] !== '"') break
    value += '"'
    at += 1
  }
  const isEnd = at === text.length || text[at] === delimiter || text[at] === '\n' || text[at] === '\r'
  return isEnd ? { value, end: at } : undefined
}
