import type { Message } from '../../kernel/messages.ts'
import { type CsvRecord, readRecords, writeRecord } from './csv-text.ts'
import type { MapDocument } from './document.ts'
import { BUS_FIELDS, MAP_FIELDS, REGISTER_FIELDS, SOURCE_FIELDS, TEST_FIELDS } from './document-fields.ts'
import type { Fault, Field, Path, ValueKind } from './fields.ts'
import { CSV_FAULTS } from './file-messages.ts'

/**
 * A register map as a table: a header row with attribute names, then one row per register. Rows that begin
 * with # hold the other parts: `#vendor,Eastron`, `#defaults.unit_id,1`, `#poll_group,fast,1000`, and one
 * `#test` row per golden frame. An empty cell is an absent attribute. Writing and reading a document returns
 * the same document.
 */
type Row = Readonly<Record<string, unknown>>

/**
 * Spreadsheets interpret text that begins with these characters as a formula; a leading apostrophe prevents
 * it.
 */
const FORMULA_START = /^[=+\-@\t\r']/

function cellOf({ cell }: ValueKind, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (cell === 'list') return (value as readonly unknown[]).join(' ')
  if (cell === 'json') return JSON.stringify(value)
  const text = String(value)
  return cell === 'text' && FORMULA_START.test(text) ? `'${text}` : text
}

const headRows = (prefix: string, fields: readonly Field[], row: Row): string[] =>
  fields.map((field) => writeRecord([`#${prefix}${field.name}`, cellOf(field, row[field.name])]))

/** The text begins with a byte order mark, by which spreadsheets recognise UTF-8. */
export function writeCsv(document: MapDocument): string {
  const { source, defaults, poll_groups, registers, tests } = document
  const asRow = (value: unknown) => value as Row
  return [
    '\ufeff',
    ...headRows('', MAP_FIELDS, asRow(document)),
    ...(source ? headRows('source.', SOURCE_FIELDS, asRow(source)) : []),
    ...headRows('defaults.', BUS_FIELDS, asRow(defaults)),
    ...Object.entries(poll_groups).map(([name, { period_ms }]) =>
      writeRecord(['#poll_group', name, String(period_ms)]),
    ),
    ...tests.map((test) =>
      writeRecord(['#test', ...TEST_FIELDS.map((field) => cellOf(field, asRow(test)[field.name]))]),
    ),
    writeRecord(REGISTER_FIELDS.map(({ name }) => name)),
    ...registers.map((register) =>
      writeRecord(REGISTER_FIELDS.map((field) => cellOf(field, asRow(register)[field.name]))),
    ),
  ].join('')
}

/** A parsed CSV: the document, which is checked like one in JSON, and the positions of its parts. */
export interface CsvDocument {
  readonly document: unknown
  /** Converts the path of a fault in the document to the line and column of the file. */
  readonly pathInFile: (path: Path) => Path
}

/** Parses the table. Faults of the table itself are added to `faults`. */
export function readCsv(text: string, faults: Fault[]): CsvDocument {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  const delimiter = delimiterOf(plain)
  const records = readRecords(plain, delimiter)
  if (!records) faults.push({ path: [], content: CSV_FAULTS.MAP_CSV_QUOTE_OPEN(), type: 'csv' })
  return new TableReader(delimiter, faults).read(records ?? [])
}

/**
 * Spreadsheets of many locales write semicolons, and decimal commas. The first row that starts with a known
 * name determines the delimiter, because later text may stand within a quoted cell.
 */
function delimiterOf(text: string): string {
  return /^"?(?:key|#[\w.]+)"?([,;\t])/m.exec(text)?.[1] ?? ','
}

type Cells = Pick<Field, 'name' | 'cell'>
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])
const ADDRESSING: Cells = { name: 'addressing', cell: 'text' }
/** The attributes that a `#` row may set, by the prefix before the dot. */
const ATTRIBUTES: ReadonlyMap<string, readonly Cells[]> = new Map<string, readonly Cells[]>([
  ['', MAP_FIELDS],
  ['source', SOURCE_FIELDS],
  ['defaults', [...BUS_FIELDS, ADDRESSING]],
])

class TableReader {
  readonly #delimiter: string
  readonly #faults: Fault[]
  readonly #lines = new Map<string, number>()
  readonly #head: Record<string, unknown> = {}
  readonly #parts: Record<'source' | 'defaults', Record<string, unknown>> = { source: {}, defaults: {} }
  readonly #groups = new Map<string, unknown>()
  readonly #registers: Row[] = []
  readonly #tests: Row[] = []
  #columns: readonly (Field | undefined)[] | undefined

  constructor(delimiter: string, faults: Fault[]) {
    this.#delimiter = delimiter
    this.#faults = faults
  }

  read(records: readonly CsvRecord[]): CsvDocument {
    for (const record of records) {
      if (record.cells[0]?.startsWith('#')) this.#readHead(record)
      else if (this.#columns) this.#readRegister(record, this.#columns)
      else this.#columns = this.#readColumns(record)
    }
    if (!this.#columns) this.#fault([], CSV_FAULTS.MAP_CSV_NO_HEADER())
    const { source, defaults } = this.#parts
    const document = {
      ...this.#head,
      ...(Object.keys(source).length > 0 && { source }),
      defaults,
      ...(this.#groups.size > 0 && { poll_groups: Object.fromEntries(this.#groups) }),
      registers: this.#registers,
      tests: this.#tests,
    }
    return { document, pathInFile: (path) => this.#pathInFile(path) }
  }

  #fault(path: Path, content: Message): void {
    this.#faults.push({ path, content, type: 'csv' })
  }

  #pathInFile(path: Path): Path {
    for (let length = Math.min(path.length, 2); length > 0; length -= 1) {
      const line = this.#lines.get(path.slice(0, length).join('.'))
      if (line !== undefined) return ['line', line, ...path.slice(length)]
    }
    return path
  }

  #readHead({ line, cells: [mark = '', ...cells] }: CsvRecord): void {
    const name = mark.slice(1).trim()
    if (name === '' || mark.startsWith('# ')) return
    if (name === 'poll_group') {
      const [group = '', period = ''] = cells
      this.#lines.set(`poll_groups.${group}`, line)
      this.#groups.set(group, { period_ms: this.#valueOf({ name, cell: 'number' }, period, line) })
    } else if (name === 'test') {
      this.#lines.set(`tests.${this.#tests.length}`, line)
      this.#tests.push(this.#rowOf(TEST_FIELDS, cells, line))
    } else this.#readAttribute(name, cells[0] ?? '', line)
  }

  #readAttribute(name: string, cell: string, line: number): void {
    const [part = '', attribute = ''] = name.includes('.') ? name.split('.') : ['', name]
    const field = ATTRIBUTES.get(part)?.find((known) => known.name === attribute)
    if (!field) {
      this.#fault(['line', line], CSV_FAULTS.MAP_CSV_NAME_UNKNOWN({ name }))
      return
    }
    this.#lines.set(name, line)
    const value = this.#valueOf(field, cell, line)
    if (value === undefined) return
    const row = part === 'source' || part === 'defaults' ? this.#parts[part] : this.#head
    row[attribute] = value
  }

  #readColumns({ line, cells }: CsvRecord): (Field | undefined)[] {
    const names = cells.map((cell) => cell.trim())
    for (const [index, name] of names.entries())
      if (name !== '' && names.indexOf(name) !== index)
        this.#fault(['line', line, name], CSV_FAULTS.MAP_CSV_COLUMN_TWICE())
    return names.map((name) => {
      const field = REGISTER_FIELDS.find((known) => known.name === name)
      if (!field && name !== '') this.#fault(['line', line, name], CSV_FAULTS.MAP_CSV_COLUMN_UNKNOWN())
      return field
    })
  }

  #readRegister({ line, cells }: CsvRecord, columns: readonly (Field | undefined)[]): void {
    this.#lines.set(`registers.${this.#registers.length}`, line)
    this.#registers.push(this.#rowOf(columns, cells, line))
  }

  #rowOf(columns: readonly (Field | undefined)[], cells: readonly string[], line: number): Row {
    const row: Record<string, unknown> = {}
    for (const [index, cell] of cells.entries()) {
      const field = columns[index]
      if (!field && cell.trim() !== '')
        this.#fault(['line', line], CSV_FAULTS.MAP_CSV_CELL_EXTRA({ cell: cell.slice(0, 50) }))
      const value = field && this.#valueOf(field, cell, line)
      if (field && value !== undefined) row[field.name] = value
    }
    return row
  }

  /**
   * Undefined for an empty cell. A cell that cannot be parsed is returned as text, which the check then
   * refuses.
   */
  #valueOf({ name, cell: kind }: Cells, cell: string, line: number): unknown {
    if (cell === '') return undefined
    const bare = cell.trim()
    if (kind === 'number') return this.#numberOf(bare)
    if (kind === 'flag') return FLAGS.get(bare.toLowerCase()) ?? cell
    if (kind === 'list') return bare.split(/\s+/).map((item) => this.#numberOf(item))
    if (kind === 'text') return cell.startsWith("'") ? cell.slice(1) : cell
    try {
      return JSON.parse(cell) as unknown
    } catch {
      this.#fault(['line', line, name], CSV_FAULTS.MAP_CSV_NOT_JSON())
      return undefined
    }
  }

  #numberOf(cell: string): number | string {
    const text = this.#delimiter === ';' ? cell.replace(',', '.') : cell
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : cell
  }
}
