import { type Static, Type } from 'typebox'
import { Decimal, described, InstantIn, Kwh, Nullable } from '../../../platform/http/fields.ts'
import { AmountType, VirtualMeterType } from './schema.ts'

/** Superseded rows are never part of a sum. */
export const TotalsQuery = Type.Object({
  from: Type.Optional(described(InstantIn, 'First hour, inclusive.')),
  to: Type.Optional(described(InstantIn, 'End, exclusive.')),
})

const rows = Type.Integer({ description: 'Number of current rows in the range.' })
const figure = (description: string) =>
  Nullable(described(Kwh, `${description}; kWh. Unknown hours are left out; null: no hour is known.`))

export const HourlyTotals = Type.Object(
  {
    rows,
    rows_missing: Type.Integer({ description: 'Number of these hours in which an input is missing.' }),
    production_kwh: figure('Production of the group'),
    consumption_kwh: figure('Consumption before netting'),
    matched_kwh: figure('Production matched by consumption of the same hour'),
    surplus_kwh: figure('Production left after matching'),
    net_import_kwh: figure('Consumption left after matching'),
    bedelli_kwh: figure('Paid surplus within the limit'),
    skb_kwh: figure('Surplus beyond the limit, subject to the system usage fee'),
    bedelsiz_kwh: figure('Free surplus'),
    matched_over_limit_kwh: figure('Matched energy beyond the limit'),
    limit_used_kwh: figure('Limit used'),
  },
  { title: 'HourlyNettingTotals' },
)
export const VirtualMeterTotals = Type.Object(
  {
    rows,
    by_type: Type.Array(
      Type.Object({
        virtual_meter_type: described(VirtualMeterType, 'Type of the surplus.'),
        rows: described(rows, 'Number of rows of the type.'),
        energy_kwh: described(Kwh, 'Energy of the type, kWh.'),
      }),
      { description: 'The types that occur, by name.' },
    ),
  },
  { title: 'VirtualMeterTotals' },
)
export const AmountTotals = Type.Object(
  {
    rows,
    by_type: Type.Array(
      Type.Object({
        amount_type: described(AmountType, 'Type of the amount. Amounts of different types are never added.'),
        rows: described(rows, 'Number of rows of the type.'),
        rows_without_price: Type.Integer({ description: 'Number of these rows without a price.' }),
        quantity_kwh: described(Kwh, 'Energy of all rows of the type, kWh.'),
        amount_try: Nullable(described(Decimal, 'Sum of the priced rows, TRY; null: no row has a price.')),
      }),
      { description: 'The types that occur, by name.' },
    ),
  },
  { title: 'NettingAmountTotals' },
)

export type TotalsQuery = Static<typeof TotalsQuery>
export type VirtualMeterTotals = Static<typeof VirtualMeterTotals>
export type AmountTotals = Static<typeof AmountTotals>
