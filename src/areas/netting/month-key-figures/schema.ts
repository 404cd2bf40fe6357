import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  Decimal,
  described,
  Id,
  Kwh,
  Nullable,
  Warnings,
} from '../../../platform/http/fields.ts'
import { Run } from '../calculation/index.ts'
import { DASHBOARD_YEAR_MAX, DASHBOARD_YEAR_MIN } from '../limits.ts'

const NO_DATA = 'Null without data.'
const NO_PRICE = 'Rows without a price do not count; null where no row has one.'
const kwh = (description: string) => Nullable(described(Kwh, `${description}; kWh. ${NO_DATA}`))
const lira = (description: string) => Nullable(described(Decimal, `${description}; TRY. ${NO_PRICE}`))
const monthKwh = (description: string) => described(Kwh, `${description}; kWh.`)

export const MonthKeyFiguresQuery = Type.Object({
  period: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'YYYY-MM, or any date or instant, truncated to its Turkey-local month; absent or empty: the current one. ' +
        `A year outside ${DASHBOARD_YEAR_MIN} to ${DASHBOARD_YEAR_MAX} is 422.`,
    }),
  ),
})

const MeskenMonth = Type.Object({
  matched_kwh: monthKwh('Matched over the whole month'),
  net_import_kwh: monthKwh('Consumption left after it'),
  bedelli_kwh: monthKwh('Paid surplus of the month, without limit'),
  bedelsiz_kwh: monthKwh('Free surplus: the whole production where no consumption is known'),
  bedelsiz_risk_try: lira('What the free surplus would have earned'),
})

export const MonthKeyFigures = Type.Object({
  group_id: described(Id, 'The group.'),
  period: described(BillingPeriod, 'The Turkey-local month, by its first day.'),
  has_data: Type.Boolean({
    description: 'False when the period has neither a current hourly row nor a run.',
  }),
  mahsuplasan_tuketim_kwh: kwh('Consumption matched by production of the same hour'),
  mahsuplasan_tuketim_try: lira('Its value: supplier, SKTT and residential monthly amounts'),
  bedelli_fazla_kwh: kwh('Paid surplus'),
  bedelli_fazla_gelir_try: lira('Producer payments for it'),
  skb_kwh: kwh('Surplus that owes the system usage fee'),
  skb_bedel_try: lira('That fee'),
  bedelsiz_kwh: kwh('Free surplus'),
  bedelsiz_risk_try: Nullable(
    described(
      Decimal,
      'What the free surplus would have earned at the lowest related tariff approved for each of ' +
        'its days; TRY. 0 for ' +
        '0 kWh; null without data, and, with a warning, where a price is missing.',
    ),
  ),
  bedelsiz_risk_tariff_price_id: Nullable(
    described(Id, 'The price row of its largest part. Null where nothing was priced.'),
  ),
  toplam_uretim_kwh: kwh('Production'),
  toplam_tuketim_kwh: kwh('Consumption before netting'),
  bedelli_limit_kalan_kwh: Nullable(
    described(
      Kwh,
      'What the accounts for the year of the period have left, as of now; kWh. Of the consumption facilities that ' +
        'are members in the period or today. Null without an account.',
    ),
  ),
  veri_kalitesi_pct: Nullable(
    Type.Number({
      description:
        'The mean, over the facilities that are members today, of the mean completeness of their facts of today ' +
        '(Turkey-local); percent. A facility without a fact does not count; null where none has one.',
    }),
  ),
  mesken_informational: Type.Boolean({
    description: 'True for a residential month: the hourly kWh above are for information.',
  }),
  mesken_month: Nullable(
    Type.Unsafe<Static<typeof MeskenMonth>>({
      ...MeskenMonth,
      description: 'Of a residential group the official month, to which the lira belong; otherwise null.',
    }),
  ),
  last_run: Nullable(
    Type.Unsafe<Static<typeof Run>>({
      ...Run,
      description: 'The latest started run of the period, also one that was superseded. Null without any.',
    }),
  ),
  ...Warnings,
})

export type MonthKeyFigures = Static<typeof MonthKeyFigures>
