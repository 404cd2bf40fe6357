import { parseTry } from '../../../../kernel/decimal.ts'
import { unprocessable } from '../../../../kernel/errors.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { TURKEY_OFFSET_MS } from '../../../../kernel/time.ts'
import type { DecimalMark } from '../../../../platform/tables/index.ts'
import type { Label } from '../../shared/index.ts'
import { METER_COLUMNS, type MeterColumn } from './columns.ts'
import { FORM_TEXTS } from './messages.ts'
import type { MeterDataForm } from './schema.ts'
import type { MeterDataSettings, Unit, ValueKind } from './settings.ts'

/** The fields of the form that say how the file is read. */
export type FormatFields = Omit<
  MeterDataForm,
  'dry_run' | 'facility_id' | 'file' | 'installation_id' | 'measurement_role'
>

/** How a file is read. */
export interface FileFormat {
  readonly valueKind: ValueKind
  readonly unit: Unit
  /** In millionths. */
  readonly multiplier: bigint
  readonly multiplierText: string
  readonly label: Label | null
  readonly intervalMs: number | undefined
  readonly utcOffset: string
  readonly utcOffsetMs: number
  readonly decimalMark: DecimalMark | undefined
  readonly named: Readonly<Partial<Record<MeterColumn, string>>>
}

const MINUTE_MS = 60_000
const DEFAULT_OFFSET = '+03:00'

/** Throws 422 for fields that contradict each other. */
export function formatOf(form: FormatFields): FileFormat {
  const isRegister = form.value_kind === 'register'
  if (isRegister && form.label !== undefined) {
    throw refuse('label', FORM_TEXTS.FORM_REGISTER_WITH_LABEL())
  }
  if (!isRegister && form.label === undefined)
    throw refuse('label', FORM_TEXTS.FORM_FIELD_NEEDED_FOR_INTERVALS({ field: 'label' }))
  if (!isRegister && form.interval_minutes === undefined) {
    throw refuse(
      'interval_minutes',
      FORM_TEXTS.FORM_FIELD_NEEDED_FOR_INTERVALS({ field: 'interval_minutes' }),
    )
  }
  const multiplierText = form.multiplier ?? '1'
  const utcOffset = form.utc_offset ?? DEFAULT_OFFSET
  return {
    valueKind: form.value_kind,
    unit: form.unit,
    multiplier: parseTry(multiplierText),
    multiplierText,
    label: form.label ?? null,
    intervalMs: form.interval_minutes === undefined ? undefined : Number(form.interval_minutes) * MINUTE_MS,
    utcOffset,
    utcOffsetMs: offsetMs(utcOffset),
    decimalMark: form.decimal_mark && (form.decimal_mark === 'comma' ? ',' : '.'),
    named: namedColumns(form.columns),
  }
}

const refuse = (field: string, message: Message) =>
  unprocessable('BUSINESS_RULE_VIOLATION', message, { field })

function offsetMs(text: string): number {
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number)
  const ms = (hours * 60 + minutes) * MINUTE_MS
  return text === DEFAULT_OFFSET ? TURKEY_OFFSET_MS : text.startsWith('-') ? -ms : ms
}

function namedColumns(text: string | undefined): Partial<Record<MeterColumn, string>> {
  if (text === undefined || text.trim() === '') return {}
  const columns = parseObject(text)
  const named: Partial<Record<MeterColumn, string>> = {}
  for (const [column, header] of Object.entries(columns ?? { '': '' })) {
    const isColumn = (METER_COLUMNS as readonly string[]).includes(column)
    if (!isColumn || typeof header !== 'string' || header.trim() === '') {
      throw refuse('columns', FORM_TEXTS.FORM_COLUMNS_NOT_OBJECT({ columns: METER_COLUMNS }))
    }
    named[column as MeterColumn] = header
  }
  return named
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** The format as the import log stores it. */
export const settingsOf = (format: FileFormat, decimalMark: DecimalMark): MeterDataSettings => ({
  value_kind: format.valueKind,
  unit: format.unit,
  multiplier: format.multiplierText,
  interval_minutes: format.intervalMs === undefined ? null : format.intervalMs / MINUTE_MS,
  utc_offset: format.utcOffset,
  decimal_mark: decimalMark,
})
