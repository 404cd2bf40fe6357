import { plain } from '../../../platform/tables/index.ts'
import { textAt, type XmlElement } from './e-fatura-xml.ts'
import { certaintyOf, type FieldSource, fingerprint } from './field-sources.ts'
import type { InvoiceColumn } from './invoice-columns.ts'
import type { MappedColumns } from './mapped-columns.ts'

/** The elements of a line of UBL-TR, as paths below the line, from which the fields are. */
const ELEMENTS = {
  item: 'Item/Name',
  quantity: 'InvoicedQuantity',
  unit_price: 'Price/PriceAmount',
  amount: 'LineExtensionAmount',
  vat_rate: 'TaxTotal/TaxSubtotal/Percent',
  vat: 'TaxTotal/TaxSubtotal/TaxAmount',
  date: 'InvoicePeriod/StartDate',
  hour: 'InvoicePeriod/StartTime',
} as const satisfies Partial<Readonly<Record<InvoiceColumn, string>>>

/** The fields that a mapping can take from another element. */
export const MAPPABLE_ELEMENTS = ['item', 'quantity', 'unit_price', 'amount', 'step', 'facility'] as const
export type MappableElement = (typeof MAPPABLE_ELEMENTS)[number]

/** Lines whose elements are listed. */
const LINES_READ = 50
const ELEMENTS_SHOWN = 100
const VALUES_SHOWN = 3
const VALUE_LENGTH = 100

/** The texts of the first lines by the path of their element. */
function leavesOf(lines: readonly XmlElement[]): Map<string, string[]> {
  const leaves = new Map<string, string[]>()
  const visit = (element: XmlElement, path: readonly string[]) => {
    const text = element.text.trim()
    if (element.children.length === 0 && text !== '' && leaves.size < ELEMENTS_SHOWN) {
      const key = path.join('/')
      const values = leaves.get(key) ?? []
      if (values.length < VALUES_SHOWN) values.push(text.slice(0, VALUE_LENGTH))
      leaves.set(key, values)
    }
    for (const child of element.children) visit(child, [...path, child.name])
  }
  for (const line of lines.slice(0, LINES_READ)) visit(line, [])
  return leaves
}

/** Identifies the layout of an e-Fatura by the elements of its lines. */
export const layoutOfElements = (lines: readonly XmlElement[]): string =>
  fingerprint(['e_fatura', ...[...leavesOf(lines).keys()].sort()])

/** The element of each field: that of a mapping, else that of UBL-TR; null: the field is not used. */
export type FieldElements = (field: MappableElement) => readonly string[] | null

export function fieldElements(lines: readonly XmlElement[], mapped: MappedColumns): FieldElements {
  const corrected = new Map<string, string>()
  const unused = new Set<string>()
  if (mapped.size > 0) {
    for (const path of leavesOf(lines).keys()) {
      const field = mapped.get(plain(path))
      if (field === null) unused.add(path)
      if (typeof field === 'string' && !corrected.has(field)) corrected.set(field, path)
    }
  }
  return (field) => {
    const path = corrected.get(field) ?? (ELEMENTS as Readonly<Record<string, string>>)[field]
    return path === undefined || (unused.has(path) && !corrected.has(field)) ? null : path.split('/')
  }
}

/** What the elements of the lines are taken for. */
export function elementSources(lines: readonly XmlElement[], mapped: MappedColumns): FieldSource[] {
  const elements = fieldElements(lines, mapped)
  const fieldOf = new Map<string, string>(Object.entries(ELEMENTS).map(([field, path]) => [path, field]))
  for (const field of MAPPABLE_ELEMENTS) {
    const own = (ELEMENTS as Readonly<Record<string, string>>)[field]
    const path = elements(field)?.join('/')
    if (own !== undefined && own !== path) fieldOf.delete(own)
    if (path !== undefined) fieldOf.set(path, field)
  }
  const taken = new Set(fieldOf.values())
  return [...leavesOf(lines)].map(([source, values]) => {
    const column = fieldOf.get(source) ?? null
    return { source, row: null, column, ...certaintyOf(source, column, mapped, taken), values }
  })
}

/** The text of a field of a line. */
export const fieldText = (line: XmlElement, path: readonly string[] | null): string | undefined =>
  path === null ? undefined : textAt(line, ...path)
