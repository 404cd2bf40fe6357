import { Type } from 'typebox'
import { lazyValidator, makeAjv } from '../../../../platform/http/validation.ts'
import type { FormatFields } from './form.ts'
import type { MeterFields } from './meter.ts'
import { MeterDataForm } from './schema.ts'

/** The fields of an import without its file, as a program other than a browser has them. */
export type MeterDataFields = MeterFields & FormatFields

const { file: _, ...properties } = MeterDataForm.properties
const isValid = lazyValidator(() => makeAjv({ coerceTypes: false }).compile(Type.Object(properties)))

/** The first fault of the fields of an import: the field and the expected value; undefined without one. */
export function meterDataFault(fields: Readonly<Record<string, unknown>>): string | undefined {
  if (isValid(fields)) return undefined
  const { instancePath = '', keyword, message, params } = isValid.errors?.[0] ?? {}
  if (keyword === 'required') return `${String(params?.['missingProperty'])} is missing`
  const allowed = keyword === 'enum' ? ((params?.['allowedValues'] ?? []) as string[]).join(', ') : undefined
  return `${instancePath.slice(1)} ${allowed ? `is one of ${allowed}` : (message ?? 'is not valid')}`
}
