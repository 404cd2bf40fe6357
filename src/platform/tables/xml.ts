import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { Parser } from 'saxen'
import { TABLE_XML_DEPTH_MAX, TABLE_XML_TOKEN_BYTES_MAX } from './limits.ts'
import { unreadable } from './table.ts'

/** As they are written: `unescapeXml` reads a value. */
export type Attributes = Readonly<Record<string, string>>

/**
 * Who hears of the elements of a part. The outermost one has depth 1; names have no prefix where it has none.
 */
export interface XmlSink {
  open(name: string, attributes: () => Attributes, depth: number): void
  close?(name: string, depth: number): void
  /** What stands between two tags may come in several calls. */
  text?(text: string): void
}

/**
 * Reads a part of a workbook as it is unpacked. Yields after each piece of it, so that the reader can take
 * what came of that piece before the next one is unpacked. Throws TableFault for what is no XML, declares
 * entities of its own or exceeds the limits.
 */
export async function* readXml(part: AsyncIterable<Buffer>, sink: XmlSink): AsyncGenerator<void> {
  const parser = makeParser(sink)
  for await (const piece of tokens(utf8(part))) {
    parser.write(piece)
    yield
  }
  parser.end()
}

/** Reads a part whose elements the sink keeps. */
export async function readWholeXml(part: AsyncIterable<Buffer>, sink: XmlSink): Promise<void> {
  for await (const _ of readXml(part, sink));
}

function makeParser(sink: XmlSink) {
  const parser = new Parser()
  let depth = 0
  let own = ''
  /** What was given to the parser since it last said something: it holds the token that has not ended. */
  let unheard = 0
  const local = (name: string): string => (own !== '' && name.startsWith(own) ? name.slice(own.length) : name)
  const refuse = ({ message }: Error): never => {
    throw unreadable(`the XML of the workbook is broken: ${message}`)
  }
  parser.on('openTag', (name, attributes) => {
    unheard = 0
    depth += 1
    if (depth > TABLE_XML_DEPTH_MAX) throw unreadable('the XML of the workbook is nested too deeply')
    if (depth === 1) own = name.slice(0, name.indexOf(':') + 1)
    sink.open(local(name), attributes, depth)
  })
  parser.on('closeTag', (name) => {
    unheard = 0
    sink.close?.(local(name), depth)
    depth -= 1
  })
  parser.on('text', (text) => {
    unheard = 0
    sink.text?.(unescapeXml(text))
  })
  parser.on('cdata', (text) => {
    unheard = 0
    sink.text?.(text)
  })
  parser.on('comment', () => {
    unheard = 0
  })
  parser.on('attention', () => {
    throw unreadable('the XML of the workbook declares a document type')
  })
  parser.on('error', refuse)
  parser.on('warn', refuse)
  return {
    write(xml: string): void {
      unheard += xml.length
      parser.write(xml)
      if (unheard > TABLE_XML_TOKEN_BYTES_MAX) throw tooLong()
    },
    end: () => parser.end(),
  }
}

const tooLong = () => unreadable('the XML of the workbook has a token that is too long')

const LESS_THAN = 0x3c

/**
 * The part as text, in pieces that end before a tag: the parser would take a `>` in the value of an attribute
 * for the end of the tag when the value is cut in two. No character is cut either.
 */
async function* tokens(part: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of part) {
    const cut = chunk.lastIndexOf(LESS_THAN)
    if (cut >= 0) {
      yield textOf(Buffer.concat([...held, chunk.subarray(0, cut)]))
      held = []
      heldBytes = 0
    }
    const rest = chunk.subarray(Math.max(cut, 0))
    held.push(rest)
    heldBytes += rest.length
    if (heldBytes > TABLE_XML_TOKEN_BYTES_MAX) throw tooLong()
  }
  yield textOf(Buffer.concat(held))
}

const notPlain = () => unreadable('the workbook is not plain XML')

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) throw notPlain()
  return bytes.toString('utf8')
}

const UTF8_MARK = Buffer.from('\uFEFF')
/** How a part begins in the other encoding that XML allows, with a byte order mark or without. */
const UTF16_STARTS = [
  ['utf-16le', 'fffe'],
  ['utf-16le', '3c00'],
  ['utf-16be', 'feff'],
  ['utf-16be', '003c'],
] as const

/**
 * Throws TableFault for what is none, and without a chunk where the last one ended in the middle of a
 * character.
 */
function decode(decoder: TextDecoder, chunk?: Buffer): Buffer {
  try {
    return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }))
  } catch {
    throw notPlain()
  }
}

async function* utf8(part: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined
  let isFirst = true
  for await (const chunk of part) {
    if (isFirst) {
      const start = chunk.toString('hex', 0, 2)
      const other = UTF16_STARTS.find(([, mark]) => mark === start)
      decoder = other && new TextDecoder(other[0], { fatal: true })
    }
    const hasMark = isFirst && chunk.subarray(0, UTF8_MARK.length).equals(UTF8_MARK)
    isFirst = false
    if (decoder) yield decode(decoder, chunk)
    else yield hasMark ? chunk.subarray(UTF8_MARK.length) : chunk
  }
  if (decoder) yield decode(decoder)
}

const ESCAPED = /&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|(amp|lt|gt|quot|apos));|&/g
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const CODE_POINT_MAX = 0x10ffff
/** Halves of characters, which UTF-16 has and XML has not. */
const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

/** The five entities of XML and numbers of characters. Throws TableFault for others. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ESCAPED, (_all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? ''
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    if (!(code > 0 && code <= CODE_POINT_MAX) || isHalf(code))
      throw unreadable('the XML of the workbook has an unknown entity')
    return String.fromCodePoint(code)
  })
}
