import { DAY_MS, dayStart } from '../../kernel/time.ts'
import type { OutBlock } from './out-block.ts'
import { digitsOf, isDate, localClock, type OutCell, type OutColumn, type OutRow } from './out-table.ts'
import { sheetBlock } from './sheet-block.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Characters of one cell (Excel); longer text is truncated. */
const CELL_TEXT_MAX = 32_767
/** The serial number of 1 January 1970 in a sheet. */
const UNIX_EPOCH_DAY = 25_569
/** The indexes of the first two styles, plain and header; the styles of the columns follow. */
const HEAD_STYLE = 1
const FIRST_COLUMN_STYLE = 2

/** Characters that XML cannot or should not contain. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu
const SPECIAL = /[&<>"]/
/** Text that a reader would interpret as an escaped character, by the rules of the format. */
const LIKE_ESCAPED = /_(?=x[0-9A-Fa-f]{4}_)/g

function escapeXml(text: string): string {
  const clean = text.replace(UNPRINTABLE, '').replace(LIKE_ESCAPED, '_x005F_')
  if (!SPECIAL.test(clean)) return clean
  return clean
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Returns the letters of a column, A to XFD, by its index from 0. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

const inlineText = (text: string): string =>
  `<is><t xml:space="preserve">${escapeXml(text.slice(0, CELL_TEXT_MAX))}</t></is>`
const headCell = (address: string, text: string): string =>
  `<c r="${address}" s="${HEAD_STYLE}" t="inlineStr">${inlineText(text)}</c>`

/**
 * Returns days since the first day of a sheet, whose clock is Turkey-local, with a resolution of one
 * millisecond.
 */
const serialOf = (local: number): number => Math.round((local / DAY_MS + UNIX_EPOCH_DAY) * 1e9) / 1e9
/** Sheets cannot represent earlier dates. */
const SERIAL_MIN = 1

function numberOf(kind: OutColumn['kind'], cell: string | number): string | undefined {
  if (kind === 'number') return digitsOf(cell)
  const local = kind === 'instant' ? localClock(cell) : dayOf(cell)
  const serial = local === undefined ? 0 : serialOf(local)
  return serial >= SERIAL_MIN ? String(serial) : undefined
}

const dayOf = (cell: string | number): number | undefined =>
  isDate(cell) ? localClock(dayStart(cell)) : undefined

/**
 * Writes rows as XML. Text is written as inline text and can never become a formula. `firstColumn` is the
 * position of the first column in the columns of all sheets, whose styles are one list.
 */
export function makeRowWriter(
  columns: readonly OutColumn[],
  firstColumn = 0,
): (row: OutRow, number: number) => string {
  const letters = columns.map((_, index) => columnLetters(index))
  // Text is mostly the same as in the row above and is encoded only once then.
  const texts = columns.map(() => ({ text: '', made: inlineText('') }))
  const inCell = (index: number, cell: string): string => {
    const last = texts[index]
    if (!last || last.text === cell) return last?.made ?? ''
    last.text = cell
    last.made = inlineText(cell)
    return last.made
  }
  return (row, number) => {
    let cells = ''
    for (let index = 0; index < columns.length; index++) {
      const cell: OutCell = row[index] ?? null
      if (cell === null) continue
      const kind = columns[index]?.kind ?? 'text'
      const address = `${letters[index]}${number}`
      const value = kind === 'text' ? undefined : numberOf(kind, cell)
      cells +=
        value === undefined
          ? `<c r="${address}" t="inlineStr">${inCell(index, String(cell))}</c>`
          : `<c r="${address}" s="${firstColumn + index + FIRST_COLUMN_STYLE}"><v>${value}</v></c>`
    }
    return `<row r="${number}">${cells}</row>`
  }
}

/** Writes the rows of a block as XML; its style of a sheet is that of `makeRowWriter`. */
export function makeBlockWriter(
  columns: readonly OutColumn[],
): (block: OutBlock, first: number) => Buffer | undefined {
  const sheetColumns = columns.map((_, index) => ({
    letters: columnLetters(index),
    style: index + FIRST_COLUMN_STYLE,
    encode: inlineText,
  }))
  const clock = { epochDay: UNIX_EPOCH_DAY, serialMin: SERIAL_MIN }
  return (block, first) => sheetBlock(block, first, { columns: sheetColumns, clock })
}

const WIDTHS = { text: 24, number: 14, instant: 19, date: 12 } as const

/**
 * Returns the XML before the rows: the header, which stays visible, the widths of the columns, and that a print
 * is scaled to pages.
 */
export function sheetStart(columns: readonly OutColumn[]): string {
  const widths = columns.map(({ kind, title, width }, index) => {
    const wide = width ?? Math.min(60, Math.max(WIDTHS[kind], title.length + 3))
    return `<col min="${index + 1}" max="${index + 1}" width="${wide}" customWidth="1"/>`
  })
  const head = columns.map(({ title }, index) => headCell(`${columnLetters(index)}1`, title))
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData><row r="1">${head.join('')}</row>`
  )
}

/** A4 in landscape, all columns on the width of one page, with page numbers; margins in inches. */
const PAGE_SETUP =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>' +
  '<pageSetup paperSize="9" fitToWidth="1" fitToHeight="0" orientation="landscape"/>' +
  '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>'

/** Returns the XML after the rows; `last` is the number of the last row. */
export const sheetEnd = (columns: readonly OutColumn[], last: number): string =>
  `</sheetData><autoFilter ref="A1:${columnLetters(columns.length - 1)}${last}"/>${PAGE_SETUP}</worksheet>`

const PLAIN_FORMAT = 'General'

function formatOf({ kind, decimals }: OutColumn): string {
  if (kind === 'instant') return `dd\\.mm\\.yyyy\\ hh:mm:ss${decimals ? `.${'0'.repeat(decimals)}` : ''}`
  if (kind === 'date') return 'dd\\.mm\\.yyyy'
  if (kind === 'text' || decimals === undefined) return PLAIN_FORMAT
  return decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`
}

/** Returns the styles: plain, header, and one for each column. */
export function stylesXml(columns: readonly OutColumn[]): string {
  const FIRST_OWN_FORMAT = 164
  const formats = columns.map(
    (column, index) =>
      `<numFmt numFmtId="${FIRST_OWN_FORMAT + index}" formatCode="${escapeXml(formatOf(column))}"/>`,
  )
  const styles = columns.map(
    (_, index) =>
      `<xf numFmtId="${FIRST_OWN_FORMAT + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  )
  return (
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${columns.length}">${formats.join('')}</numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz ' +
    'val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE3EEF5"/><bgColor ' +
    'indexed="64"/></patternFill></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${columns.length + FIRST_COLUMN_STYLE}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
    `<xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/>${styles.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}

export const sheetPath = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`

/** Returns the parts of the package except the sheets, by name. */
export function workbookParts(sheetNames: readonly string[], styles: string): Map<string, string> {
  const overrides = sheetNames.map(
    (_, index) => `<Override PartName="/${sheetPath(index)}" ContentType="${CONTENT}.worksheet+xml"/>`,
  )
  const sheets = sheetNames.map(
    (name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  // The header is repeated on every printed page.
  const titles = sheetNames.map(
    (name, index) =>
      `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">` +
      `${escapeXml(`'${name.replaceAll("'", "''")}'!$1:$1`)}</definedName>`,
  )
  const relations = sheetNames.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  )
  const stylesId = `rId${sheetNames.length + 1}`
  return new Map([
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>${overrides.join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets>` +
        `<definedNames>${titles.join('')}</definedNames></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}<Relationship Id="${stylesId}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', styles],
  ])
}
