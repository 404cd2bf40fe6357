import {
  type InvoiceLine,
  isCharge,
  type LineKind,
  type LineSpan,
} from '../../../core/netting/invoice/types.ts'
import { type Field, isMoney, KWH_FIELDS, TRY_FIELDS } from './columns.ts'
import type { Figure } from './parse.ts'

const EMPTY_LINE = {
  step: null,
  unitPrice: null,
  rate: null,
  base: null,
  vatRate: null,
  vat: null,
  gross: null,
  isTax: false,
} as const

/** Each figure of a table by the hour, day or month is a line of its own. */
export function lineOfFigure(figure: Figure, header: string | undefined): InvoiceLine {
  const { row, span, field, facility, value } = figure
  return {
    ...EMPTY_LINE,
    number: row,
    description: header ?? null,
    kind: field.replace(/_(kwh|try)$/, '') as LineKind,
    span,
    facility: facility ?? null,
    quantity: isMoney(field) ? null : value,
    amount: isMoney(field) ? value : null,
  }
}

const isField = (name: string): name is Field => ([...KWH_FIELDS, ...TRY_FIELDS] as string[]).includes(name)

/** The figures of the lines of an invoice: the sums of the lines of one charge, time and facility. */
export function figuresOfLines(lines: readonly InvoiceLine[]): Figure[] {
  const figures = new Map<string, Figure>()
  const addTo = (name: string, line: InvoiceLine, value: bigint | null) => {
    if (value === null || !isField(name)) return
    const { number: row, span, facility } = line
    const key = `${name} ${keyOf(span)} ${facility ?? ''}`
    const before = figures.get(key)
    const sum = (before?.value ?? 0n) + value
    figures.set(key, {
      row: before?.row ?? row,
      span,
      facility: facility ?? undefined,
      field: name,
      value: sum,
    })
  }
  for (const line of lines) {
    if (line.kind === null) continue
    if (!isCharge(line.kind) || line.facility === null) addTo(`${line.kind}_kwh`, line, line.quantity)
    addTo(`${line.kind}_try`, line, line.amount)
  }
  return [...figures.values()]
}

const keyOf = ({ unit, from }: LineSpan): string => `${unit} ${from}`
