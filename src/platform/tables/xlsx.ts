import { buffer } from 'node:stream/consumers'
import { readSheet } from 'read-excel-file/node'
import { readZip, writeZip, ZipFault } from '../zip.ts'
import {
  type Cell,
  EMPTY,
  TableFault,
  type TableLimits,
  type TableRow,
  textCell,
  tooManyRows,
  unreadable,
} from './table.ts'

const isPart = (name: string): boolean => name.endsWith('.xml') || name.endsWith('.xml.rels')
const isSheet = (name: string): boolean => /^xl\/worksheets\/[^/]+\.xml$/.test(name)

/** Reads the first sheet of an XLSX workbook, as Excel and LibreOffice write them. Throws TableFault. */
export async function readXlsx(bytes: Buffer, limits: TableLimits): Promise<TableRow[]> {
  const workbook = await repack(bytes, limits)
  const rows = await readFirstSheet(workbook)
  return rows.flatMap((row, place) => {
    const cells = row.map((value) => cellOf(value, limits))
    return cells.every((cell) => cell.kind === 'empty') ? [] : [{ number: place + 1, cells }]
  })
}

/**
 * The parts that are read, unpacked inside the limits and packed anew without compression: what the reader gets is what
 * was looked at here, however the ZIP would strike another reader.
 */
async function repack(bytes: Buffer, limits: TableLimits): Promise<Buffer> {
  const { entriesMax, unpackedBytesMax } = limits
  try {
    const parts = await readZip(bytes, { entriesMax, bytesMax: unpackedBytesMax }, isPart)
    const entries = [...parts].map(([name, content]) => ({
      name,
      bytes: isSheet(name) ? trimSheet(content, limits) : refuseEntities(content),
    }))
    return await buffer(writeZip(entries, new Date(0)))
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error
    throw new TableFault(error.isTooLarge ? 'tooLarge' : 'unreadable', `the workbook: ${error.message}`)
  }
}

function refuseEntities(content: Buffer): Buffer {
  if (content.includes('<!ENTITY') || content.includes('\0'))
    throw unreadable('the workbook is not plain XML')
  return content
}

const EMPTY_CELL = /<c\s[^<>]*\/>|<c\s[^<>]*><\/c>/g
const EMPTY_ROW = /<row(?:\s[^<>]*)?\/>|<row(?:\s[^<>]*)?>\s*<\/row>/g
/** Wherever it stands, so that no way of writing XML hides one; the namespace r, which sheets declare, is none. */
const PLACE = /(?<!xmlns:)\br\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ADDRESS = /^(?:([A-Z]{1,3}))?([1-9]\d{0,6})$/

/**
 * The reader lays out rows up to the last one that is named, each as wide as the widest: a single cell in the far corner
 * would take all memory. Rows and cells that only carry a style, which LibreOffice writes to the end of the sheet, are
 * taken out.
 */
function trimSheet(content: Buffer, { rowsMax, columnsMax }: TableLimits): Buffer {
  const xml = refuseEntities(content).toString('utf8').replace(EMPTY_CELL, '').replace(EMPTY_ROW, '')
  for (const [, double, single] of xml.matchAll(PLACE)) {
    const address = ADDRESS.exec(double ?? single ?? '')
    if (!address) throw unreadable('the workbook has a cell without a place')
    if (Number(address[2]) > rowsMax) throw tooManyRows(rowsMax)
    if (columnNumber(address[1] ?? 'A') > columnsMax) {
      throw unreadable(`the sheet has more than ${columnsMax} columns`)
    }
  }
  return Buffer.from(xml)
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

async function readFirstSheet(workbook: Buffer): Promise<unknown[][]> {
  try {
    return (await readSheet(workbook, { trim: false })) as unknown[][]
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\p{Cc}+/gu, ' ').slice(0, 200) : 'unknown'
    throw unreadable(`the workbook cannot be read: ${reason}`)
  }
}

/** A time of day alone stands on the sheet's first day. */
const FIRST_YEARS = 1905
/** Binary fractions of a sheet: six decimals are more than any figure has. */
const DECIMALS = 6
/** A figure of six decimals is as near as this to its binary fraction. */
const NOISE = 1e-9
const NUMBER_MAX = 1e15

function cellOf(value: unknown, limits: TableLimits): Cell {
  if (typeof value === 'string') return textCell(value, limits)
  if (typeof value === 'number' && Math.abs(value) < NUMBER_MAX) {
    const text = value.toFixed(DECIMALS).replace(/\.?0+$/, '')
    return { kind: 'number', text, isRounded: Math.abs(Number(text) - value) > NOISE }
  }
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    // Days are fractions in a sheet: an hour may be a millisecond off.
    const instant = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString()
    const hasDate = value.getUTCFullYear() > FIRST_YEARS
    return { kind: 'time', date: hasDate ? instant.slice(0, 10) : undefined, time: instant.slice(11, 16) }
  }
  if (value === null || value === undefined) return EMPTY
  return textCell(String(value), limits)
}
