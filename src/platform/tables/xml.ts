import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { Parser } from 'saxen'
import { TABLE_XML_DEPTH_MAX, TABLE_XML_TOKEN_BYTES_MAX } from './limits.ts'
import { damaged } from './table.ts'

/** Attribute values as written in the XML; `unescapeXml` decodes a value. */
export type Attributes = Readonly<Record<string, string>>

/**
 * Receives the elements of a part. The outermost element has depth 1; names are passed without the prefix
 * of the document's own namespace.
 */
export interface XmlSink {
  open(name: string, attributes: () => Attributes, depth: number): void
  close?(name: string, depth: number): void
  /** Text between two tags may arrive in several calls. */
  text?(text: string): void
}

/**
 * Parses a part of a workbook, or another XML file, as it is unpacked. Yields after each chunk, so
 * that the reader can take its
 * results before the next chunk is unpacked. Throws TableFault for invalid XML, for a document with its own
 * entities, and beyond the limits.
 */
export async function* readXml(part: AsyncIterable<Buffer>, sink: XmlSink): AsyncGenerator<void> {
  const parser = makeParser(sink)
  for await (const piece of tokens(utf8(part))) {
    parser.write(piece)
    yield
  }
  parser.end()
}

/** Parses a whole part; the sink collects the elements. */
export async function readWholeXml(part: AsyncIterable<Buffer>, sink: XmlSink): Promise<void> {
  for await (const _ of readXml(part, sink));
}

function makeParser(sink: XmlSink) {
  const parser = new Parser()
  let depth = 0
  let own = ''
  /** Bytes given to the parser since its last event: they contain the token that has not ended. */
  let bytesSinceEvent = 0
  const local = (name: string): string => (own !== '' && name.startsWith(own) ? name.slice(own.length) : name)
  const refuse = ({ message }: Error): never => {
    throw damaged(`the XML of the file is broken: ${message}`)
  }
  parser.on('openTag', (name, attributes) => {
    bytesSinceEvent = 0
    depth += 1
    if (depth > TABLE_XML_DEPTH_MAX) throw damaged('the XML of the file is nested too deeply')
    if (depth === 1) own = name.slice(0, name.indexOf(':') + 1)
    sink.open(local(name), attributes, depth)
  })
  parser.on('closeTag', (name) => {
    bytesSinceEvent = 0
    sink.close?.(local(name), depth)
    depth -= 1
  })
  parser.on('text', (text) => {
    bytesSinceEvent = 0
    sink.text?.(unescapeXml(text))
  })
  parser.on('cdata', (text) => {
    bytesSinceEvent = 0
    sink.text?.(text)
  })
  parser.on('comment', () => {
    bytesSinceEvent = 0
  })
  parser.on('attention', () => {
    throw damaged('the XML of the file declares a document type')
  })
  parser.on('error', refuse)
  parser.on('warn', refuse)
  return {
    write(xml: string): void {
      bytesSinceEvent += xml.length
      parser.write(xml)
      if (bytesSinceEvent > TABLE_XML_TOKEN_BYTES_MAX) throw tooLong()
    },
    end: () => parser.end(),
  }
}

const tooLong = () => damaged('the XML of the file has a token that is too long')

const LESS_THAN = 0x3c

/**
 * Yields the part as text, split only before tags: the parser takes a `>` in an attribute value for the end
 * of the tag when the value is split. Characters are not split either.
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

const notPlain = () => damaged('the file is not plain XML')

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) throw notPlain()
  return bytes.toString('utf8')
}

const UTF8_MARK = Buffer.from('\uFEFF')
/**
 * The first bytes of a part in UTF-16, the other encoding that XML allows, with and without a byte order
 * mark.
 */
const UTF16_STARTS = [
  ['utf-16le', 'fffe'],
  ['utf-16le', '3c00'],
  ['utf-16be', 'feff'],
  ['utf-16be', '003c'],
] as const

/**
 * Decodes UTF-8. Throws TableFault for invalid bytes and, without a chunk, when the last chunk ended within
 * a character.
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
/** Surrogates, which UTF-16 uses and which XML does not allow as characters. */
const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

/**
 * Decodes the five predefined entities of XML and numeric references. Throws TableFault for any other
 * entity.
 */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ESCAPED, (_all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? ''
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    if (!(code > 0 && code <= CODE_POINT_MAX) || isHalf(code))
      throw damaged('the XML of the file has an unknown entity')
    return String.fromCodePoint(code)
  })
}
