import { buffer } from 'node:stream/consumers'
import { writeZip } from '../../src/platform/files/zip.ts'

/** A cell as LibreOffice writes it: a shared string, a number, or a date as its serial day number. */
export type SheetCell = string | number | { readonly day: number } | null

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/**
 * The parts of a workbook with one sheet, as LibreOffice 7 writes them, including its styled row at the end
 * of the sheet.
 */
export function workbookParts(
  rows: readonly (readonly SheetCell[])[],
  sheetXml?: string,
): Map<string, string> {
  const texts = [...new Set(rows.flat().filter((cell) => typeof cell === 'string'))]
  const cellXml = (cell: SheetCell, address: string): string => {
    if (cell === null) return `<c r="${address}" s="0"/>`
    if (typeof cell === 'string') return `<c r="${address}" s="0" t="s"><v>${texts.indexOf(cell)}</v></c>`
    if (typeof cell === 'number') return `<c r="${address}" s="0" t="n"><v>${cell}</v></c>`
    return `<c r="${address}" s="1" t="n"><v>${cell.day}</v></c>`
  }
  const rowXml = rows.map((row, rowIndex) => {
    const cells = row.map((cell, column) =>
      cellXml(cell, `${String.fromCharCode(65 + column)}${rowIndex + 1}`),
    )
    return `<row r="${rowIndex + 1}" customFormat="false" ht="12.8" hidden="false" outlineLevel="0">${cells.join('')}</row>`
  })
  const sharedStrings = texts
    .map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`)
    .join('')
  const last = '<row r="1048576" customFormat="false" ht="12.8" hidden="false"/>'
  return new Map([
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types">` +
        `<Default Extension="xml" ContentType="application/xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
        `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/>` +
        `</Relationships>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
        `<Relationship Id="rId1" Type="${RELATIONS}/styles" Target="styles.xml"/>` +
        `<Relationship Id="rId2" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>` +
        `<Relationship Id="rId3" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>` +
        `</Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${XML}<workbook ${MAIN} xmlns:r="${RELATIONS}">` +
        `<workbookPr backupFile="false" date1904="false"/><sheets>` +
        `<sheet name="Sayfa1" sheetId="1" state="visible" r:id="rId2"/></sheets></workbook>`,
    ],
    [
      'xl/styles.xml',
      `${XML}<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="General"/>` +
        `<numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/></numFmts><cellXfs count="2">` +
        `<xf numFmtId="164" applyFont="false"/><xf numFmtId="165" applyFont="true"/></cellXfs>` +
        `</styleSheet>`,
    ],
    [
      'xl/sharedStrings.xml',
      `${XML}<sst ${MAIN} count="${texts.length}" uniqueCount="${texts.length}">${sharedStrings}</sst>`,
    ],
    [
      'xl/worksheets/sheet1.xml',
      sheetXml ??
        `${XML}<worksheet ${MAIN} xmlns:r="${RELATIONS}"><dimension ref="A1"/>` +
          `<sheetData>${rowXml.join('')}${last}</sheetData></worksheet>`,
    ],
  ])
}

export const packWorkbook = (parts: ReadonlyMap<string, string>): Promise<Buffer> =>
  buffer(
    writeZip(
      [...parts].map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
      new Date(0),
    ),
  )

/** Serial day number of a local date and hour. */
export const sheetDay = (date: string, hour = 0): number =>
  Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 25_569 + hour / 24
