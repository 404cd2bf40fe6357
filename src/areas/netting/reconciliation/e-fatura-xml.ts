import { isUtf8 } from 'node:buffer'
import {
  type Attributes,
  damaged,
  decodeTurkish,
  readWholeXml,
  TableFault,
  unescapeXml,
} from '../../../platform/tables/index.ts'
import { E_FATURA_ELEMENTS_MAX, E_FATURA_TEXT_LENGTH_MAX } from '../limits.ts'
import { INVOICE_TEXTS } from './messages.ts'

/** An element of an e-Fatura: names without their prefixes. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Attributes
  readonly children: XmlElement[]
  text: string
}

/** Parts that contain no figures and may be large: signatures and attachments. */
const SKIPPED = ['UBLExtensions', 'AdditionalDocumentReference', 'Signature']

/** True for a file that begins like XML, in an encoding of 8 bits or in UTF-16. */
export const isXml = (bytes: Buffer): boolean =>
  XML_START.test(bytes.subarray(0, 64).toString('latin1').replaceAll('\0', ''))
const XML_START = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</

/** ISO 8859-9 is a part of windows-1254. */
const DECLARED_TURKISH = /^\s*<\?xml[^>]*\sencoding\s*=\s*["'](?:windows-1254|cp1254|iso-?8859-9|latin5)["']/i

/**
 * The XML in UTF-8 or UTF-16, which the parser reads. Other bytes are windows-1254 if the XML declares it. A file in
 * UTF-8 that declares it, as programs write that convert a file and not its first line, is UTF-8.
 */
function asUnicode(bytes: Buffer): Buffer {
  if (isUtf8(bytes) || !DECLARED_TURKISH.test(bytes.toString('latin1', 0, 256))) return bytes
  const text = decodeTurkish(bytes)
  if (text === undefined) throw damaged('the file is not in the encoding that it declares')
  return Buffer.from(text)
}

/**
 * Parses an e-Fatura into elements. Document types are refused, so that there are no entities to expand and nothing is
 * loaded. Throws TableFault for a file that is no XML or no invoice, and beyond the limits.
 */
export async function parseInvoiceXml(bytes: Buffer): Promise<XmlElement> {
  const stack: XmlElement[] = []
  let root: XmlElement | undefined
  let count = 0
  let skippedFrom = 0
  const local = (name: string): string => name.slice(name.indexOf(':') + 1)
  await readWholeXml(once(asUnicode(bytes)), {
    open(prefixed, attributes, depth) {
      const name = local(prefixed)
      if (depth === 1 && name !== 'Invoice') {
        throw new TableFault('unreadable', INVOICE_TEXTS.E_FATURA_NO_INVOICE({ element: name.slice(0, 100) }))
      }
      if (skippedFrom > 0) return
      if (SKIPPED.includes(name)) {
        skippedFrom = depth
        return
      }
      count += 1
      if (count > E_FATURA_ELEMENTS_MAX) throw damaged('the invoice has too many elements')
      const element: XmlElement = { name, attributes: decoded(attributes()), children: [], text: '' }
      stack.at(-1)?.children.push(element)
      root ??= element
      stack.push(element)
    },
    close(_name, depth) {
      if (skippedFrom > 0) {
        if (depth === skippedFrom) skippedFrom = 0
        return
      }
      stack.pop()
    },
    text(text) {
      const element = stack.at(-1)
      if (!element || skippedFrom > 0) return
      element.text += text
      if (element.text.length > E_FATURA_TEXT_LENGTH_MAX)
        throw damaged('an element of the invoice is too long')
    },
  })
  if (!root || stack.length > 0) throw damaged('the XML of the file has no end')
  return root
}

const decoded = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, unescapeXml(value)]))

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The elements at a path below an element. */
export function elementsAt(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  let found = [element]
  for (const name of path)
    found = found.flatMap(({ children }) => children.filter((each) => each.name === name))
  return found
}

export const textAt = (element: XmlElement, ...path: readonly string[]): string | undefined => {
  const text = elementsAt(element, ...path)[0]?.text.trim()
  return text === '' ? undefined : text
}
