import { type Static, Type } from 'typebox'
import { described, OneOf } from '../../../../platform/http/fields.ts'

export const VALUE_KINDS = ['register', 'interval'] as const
export type ValueKind = (typeof VALUE_KINDS)[number]
export const UNITS = ['Wh', 'kWh', 'MWh'] as const
export type Unit = (typeof UNITS)[number]
/** Lengths of an interval in minutes; an hour consists of whole intervals. */
export const INTERVAL_MINUTES = ['5', '10', '15', '20', '30', '60'] as const

/** How a file of meter data was read, as the import log shows it. */
export const MeterDataSettings = Type.Object(
  {
    value_kind: described(OneOf(VALUE_KINDS), 'Kind of the values: register readings or interval energy.'),
    unit: described(OneOf(UNITS), 'Unit of the values.'),
    multiplier: Type.String({ description: 'Factor of the values.' }),
    interval_minutes: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Length of an interval; null: derived from the register readings.',
    }),
    utc_offset: Type.String({ description: 'Offset of times without an offset of their own.' }),
    decimal_mark: described(OneOf(['.', ',']), 'Decimal mark of the values.'),
  },
  {
    description: 'How a file of meter data was read; null: hourly official readings.',
  },
)
export type MeterDataSettings = Static<typeof MeterDataSettings>

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'osos_import.settings': MeterDataSettings
  }
}
