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
import { STALE_FIELDS } from '../stale/index.ts'

const NO_DATA = 'null without data, and if it is unknown in every hour.'
const NO_PRICE = 'Rows without a price are not included; null if no row has one.'
const kwh = (description: string) => Nullable(described(Kwh, `${description}; kWh. ${NO_DATA}`))
const lira = (description: string) => Nullable(described(Decimal, `${description}; TRY. ${NO_PRICE}`))
const monthKwh = (description: string) => Nullable(described(Kwh, `${description}; kWh. null: unknown.`))

export const MonthKeyFiguresQuery = Type.Object({
  period: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'YYYY-MM, or any date or instant, truncated to its Turkey-local month. Default: the current month. ' +
        `A year outside ${DASHBOARD_YEAR_MIN} to ${DASHBOARD_YEAR_MAX} is 422.`,
    }),
  ),
})

const MeskenMonth = Type.Object(
  {
    matched_kwh: monthKwh('Energy matched over the whole month'),
    net_import_kwh: monthKwh('Consumption left after matching'),
    bedelli_kwh: monthKwh('Paid surplus of the month, without limit'),
    bedelsiz_kwh: monthKwh('Free surplus; the whole production if no consumption is known'),
    bedelsiz_risk_try: lira('Hypothetical revenue of the free surplus'),
  },
  { title: 'MeskenMonth' },
)

export const MonthKeyFigures = Type.Object({
  group_id: described(Id, 'Group.'),
  period: described(BillingPeriod, 'Billing period: the first day of a Turkey-local month.'),
  has_data: Type.Boolean({
    description: 'false if the period has neither a current hourly row nor a run.',
  }),
  mahsuplasan_tuketim_kwh: kwh('Consumption matched by production of the same hour'),
  mahsuplasan_tuketim_try: lira(
    'Value of the matched consumption: supplier, SKTT and residential monthly amounts',
  ),
  bedelli_fazla_kwh: kwh('Paid surplus'),
  bedelli_fazla_gelir_try: lira('Producer payments for the paid surplus'),
  skb_kwh: kwh('Surplus subject to the system usage fee'),
  skb_bedel_try: lira('System usage fee'),
  bedelsiz_kwh: kwh('Free surplus'),
  bedelsiz_risk_try: Nullable(
    described(
      Decimal,
      'Hypothetical revenue of the free surplus at the lowest related tariff approved for each of its ' +
        'days; TRY. 0 for 0 kWh; null without data and, with a warning, if a price is missing.',
    ),
  ),
  bedelsiz_risk_tariff_price_id: Nullable(
    described(Id, 'Price row of the largest part. null if nothing was priced.'),
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
        'Data quality in %: the mean, over the facilities that are members today, of the mean completeness ' +
        'of their facts of today (Turkey-local). A facility without facts is not included; null if no ' +
        'facility has one.',
    }),
  ),
  mesken_informational: Type.Boolean({
    description: 'true for a residential group: the hourly energies above are informational.',
  }),
  mesken_month: Nullable(
    Type.Unsafe<Static<typeof MeskenMonth>>({
      ...MeskenMonth,
      description: 'Official month of a residential group, which corresponds to the amounts; otherwise null.',
    }),
  ),
  ...STALE_FIELDS,
  last_run: Nullable(
    Type.Unsafe<Static<typeof Run>>({
      ...Run,
      description: 'Most recently started run of the period, also if superseded; null without any.',
    }),
  ),
  ...Warnings,
})
