/** A record of a CSV text; `line` is the line on which it begins. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

const quoteCell = (cell: string, delimiter: string): string =>
  cell.includes('"') || cell.includes(delimiter) || /[\r\n]|^\s|\s$/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell

export const writeRecord = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoteCell(cell, ',')).join(',')}\r\n`

/** Parses CSV by RFC 4180 without trimming cells. Undefined when a quoted cell is not closed. */
export function readRecords(text: string, delimiter: string): CsvRecord[] | undefined {
  const records: CsvRecord[] = []
  let cells: string[] = []
  let [offset, line, firstLine] = [0, 1, 1]
  while (offset < text.length) {
    const cell = readCell(text, offset, delimiter)
    if (!cell) return undefined
    cells.push(cell.value)
    line += cell.value.split('\n').length - 1
    offset = cell.end
    if (text[offset] === delimiter) {
      offset += 1
      if (offset < text.length) continue
      cells.push('')
    }
    records.push({ line: firstLine, cells })
    cells = []
    if (text[offset] === '\r') offset += 1
    if (text[offset] === '\n') offset += 1
    line += 1
    firstLine = line
  }
  return records.filter((record) => record.cells.some((cell) => cell.trim() !== ''))
}

/** Reads one cell. `end` is the offset of the delimiter, line end or end of text that follows it. */
function readCell(text: string, start: number, delimiter: string) {
  if (text[start] !== '"') {
    let end = start
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
    return { value: text.slice(start, end), end }
  }
  let [value, offset] = ['', start + 1]
  for (;;) {
    const quote = text.indexOf('"', offset)
    if (quote < 0) return undefined
    value += text.slice(offset, quote)
    offset = quote + 1
    if (text[offset] !== '"') break
    value += '"'
    offset += 1
  }
  const isEnd =
    offset === text.length || text[offset] === delimiter || text[offset] === '\n' || text[offset] === '\r'
  return isEnd ? { value, end: offset } : undefined
}
