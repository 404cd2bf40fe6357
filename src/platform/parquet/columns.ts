import type { SchemaElement } from 'hyparquet'

/** A column of a file; every one but the keys may have nulls. */
export interface ParquetColumn {
  readonly name: string
  /** `decimal`: BigInt, unscaled, with six decimals. `instant`: BigInt, epoch microseconds. `double`: float64. */
  readonly type: 'text' | 'instant' | 'decimal' | 'double'
  readonly isRequired?: boolean
}

/** Digits of a decimal in 64 bits. */
const PRECISION = 18
const DECIMALS = 6

export const TYPES = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    // Without it a reader may take the instants for local times.
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  decimal: { type: 'INT64', converted_type: 'DECIMAL', precision: PRECISION, scale: DECIMALS },
  double: { type: 'DOUBLE' },
} as const satisfies Record<ParquetColumn['type'], Partial<SchemaElement>>

const NAMES = {
  text: 'text (UTF8)',
  instant: 'a timestamp (INT64, microseconds, UTC)',
  decimal: `a decimal of 64 bits (INT64, ${DECIMALS} decimals)`,
  double: 'a double',
} as const satisfies Record<ParquetColumn['type'], string>

type Check = (element: SchemaElement) => boolean

/** Older files and some programs write one of the two type annotations only. */
const CHECKS: Readonly<Record<ParquetColumn['type'], Check>> = {
  text: ({ type, converted_type: converted, logical_type: logical }) =>
    type === 'BYTE_ARRAY' && (logical ? logical.type === 'STRING' : converted === 'UTF8'),
  instant: ({ type, converted_type: converted, logical_type: logical }) =>
    type === 'INT64' &&
    (logical
      ? logical.type === 'TIMESTAMP' && logical.unit === 'MICROS' && logical.isAdjustedToUTC
      : converted === 'TIMESTAMP_MICROS'),
  decimal: ({ type, converted_type: converted, logical_type: logical, scale }) =>
    type === 'INT64' &&
    (logical
      ? logical.type === 'DECIMAL' && logical.scale === DECIMALS
      : converted === 'DECIMAL' && scale === DECIMALS),
  double: ({ type, converted_type: converted, logical_type: logical }) =>
    type === 'DOUBLE' && converted === undefined && logical === undefined,
}

function textOf({ type, converted_type: converted, logical_type: logical, scale }: SchemaElement): string {
  const details = logical ? Object.values(logical).join(' ') : [converted, scale].join(' ')
  return `${type} ${details}`.trim()
}

/** Why a schema does not have a column as it is written; undefined when it has. */
export function faultOfColumn(
  { name, type }: ParquetColumn,
  schema: readonly SchemaElement[],
): string | undefined {
  const element = schema.find((candidate) => candidate.name === name)
  if (!element) return `there is no column ${name}`
  const isSingle = element.repetition_type !== 'REPEATED' && !element.num_children
  if (isSingle && CHECKS[type](element)) return undefined
  return `the column ${name} is ${textOf(element)}, and not ${NAMES[type]}`
}
