import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  Decimal,
  DecimalIn,
  described,
  Id,
  Instant,
  LocalDate,
  Nullable,
  OneOf,
  Text,
} from '../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../platform/http/page.ts'
import { RowFaultBody } from '../../../platform/http/row-faults.ts'
import { optional } from '../shared/index.ts'
import { TARIFF_IMPORT_ERRORS_MAX } from './limits.ts'
import { TEMPLATE_FORMATS, type TemplateFormat } from './template.ts'

const ApprovalStatus = OneOf(['draft', 'approved', 'archived'])
export const ABONE_GRUBU = [
  'mesken',
  'ticarethane',
  'sanayi',
  'tarimsal_sulama',
  'aydinlatma',
  'other',
] as const
const AboneGrubu = OneOf(ABONE_GRUBU)
const PricePurpose = OneOf([
  'mahsuplasma_related_tariff',
  'mahsuplasma_lowest_related_tariff',
  'sktt_active_energy',
  'customer_bill_active_energy',
  'system_usage',
  'distribution',
  'other',
])
const TimeSegment = OneOf(['tek', 'gunduz', 'puant', 'gece'])
export const VOLTAGE_LEVELS = ['AG', 'OG', 'YG'] as const
const VoltageLevel = OneOf(VOLTAGE_LEVELS)

export const PriceSet = Type.Object(
  {
    id: Id,
    billing_period: described(BillingPeriod, 'Month of the set: its first day.'),
    name: Nullable(Type.String({ description: 'Free text.' })),
    source_note: Nullable(Type.String({ description: 'Source of the prices.' })),
    approval_status: described(
      ApprovalStatus,
      'Status: draft → approved → archived; prices can change only in a draft.',
    ),
    approved_by: Nullable(described(Id, 'User who approved the set.')),
    approved_at: Nullable(Instant),
    created_by: Nullable(described(Id, 'User who created the set.')),
    created_at: Instant,
  },
  { title: 'PriceSet' },
)

export const CreatePriceSet = Type.Object(
  {
    billing_period: described(BillingPeriod, 'First day of the month; YYYY-MM is accepted.'),
    name: optional(Text(200)),
    source_note: optional(Text(2000)),
  },
  { title: 'CreatePriceSet' },
)

/** Omitted fields are unchanged; null clears. */
export const UpdatePriceSet = Type.Object(
  {
    ...Type.Partial(CreatePriceSet).properties,
    approval_status: Type.Optional(
      described(ApprovalStatus, 'Only the transition approved → archived is allowed.'),
    ),
  },
  { title: 'UpdatePriceSet' },
)

export const PriceSetQuery = Type.Object({
  ...ListQuery(),
  search: Search('name and source note'),
  billing_period: Type.Optional(BillingPeriod),
  approval_status: Type.Optional(ApprovalStatus),
})

export const TemplateQuery = Type.Object({
  format: Type.Unsafe<TemplateFormat>({
    type: 'string',
    enum: [...TEMPLATE_FORMATS],
    default: 'csv',
    description: 'Format of the file.',
  }),
  billing_period: Type.Optional(
    described(BillingPeriod, 'Month of the example rows; it must be that of the set that imports the file.'),
  ),
})

export const PriceQuery = Type.Object(ListQuery())

export const Price = Type.Object(
  {
    id: Id,
    price_set_id: Id,
    valid_from: described(LocalDate, 'First Turkey-local day on which the price is valid.'),
    valid_to: Nullable(described(LocalDate, 'Last day on which the price is valid, inclusive; null: open.')),
    billing_period: described(BillingPeriod, 'Month from which the row is used for pricing.'),
    abone_grubu: described(AboneGrubu, 'Subscriber group.'),
    gerilim_seviyesi: Nullable(
      described(
        VoltageLevel,
        'Voltage level of the facilities that the price is for: AG low, OG medium, YG high; null: all.',
      ),
    ),
    tariff_code: Nullable(Type.String({ description: 'Short code of the tariff in the published table.' })),
    tariff_class: Nullable(
      Type.String({
        description: 'Class within the group, such as lisanssiz_uretici_1 of a system_usage row.',
      }),
    ),
    price_purpose: described(PricePurpose, 'Purpose of the price.'),
    time_segment: Nullable(described(TimeSegment, 'Time segment; tek: single-time; null: any.')),
    step_no: Nullable(Type.Integer({ description: 'Step (kademe) of the price; null: any.' })),
    unit: Nullable(
      Type.String({ description: 'Unit (informational); the price is always interpreted as TRY/kWh.' }),
    ),
    price: described(Decimal, 'Price, TRY/kWh, without taxes.'),
    source_note: Nullable(Type.String({ description: 'Source of the row.' })),
    created_at: Instant,
  },
  { title: 'RegulatedPrice' },
)

export const CreatePrice = Type.Object(
  {
    valid_from: LocalDate,
    valid_to: optional(LocalDate),
    billing_period: described(BillingPeriod, 'Month of the price: that of its set.'),
    abone_grubu: AboneGrubu,
    gerilim_seviyesi: optional(VoltageLevel),
    tariff_code: optional(Text(100)),
    tariff_class: optional(Text(100)),
    price_purpose: PricePurpose,
    time_segment: optional(TimeSegment),
    step_no: optional(Type.Integer({ minimum: 1, maximum: 100 })),
    unit: optional(Text(50)),
    price: described(DecimalIn('positive'), 'Price, TRY/kWh, above 0, at most 6 decimals.'),
    source_note: optional(Text(2000)),
  },
  { title: 'CreateRegulatedPrice' },
)

export const ImportResult = Type.Object(
  {
    imported: Type.Integer({
      description: 'Number of imported rows: all rows of the file, or 0 if any row has an error.',
    }),
    errors: Type.Array(RowFaultBody, {
      description: `Errors of all rows, by row; the first ${TARIFF_IMPORT_ERRORS_MAX} are listed.`,
    }),
    error_count: Type.Integer({ description: 'Total number of errors, including those not listed.' }),
  },
  { title: 'TariffImport' },
)

export type CreatePriceSet = Static<typeof CreatePriceSet>
export type UpdatePriceSet = Static<typeof UpdatePriceSet>
export type PriceSetQuery = Static<typeof PriceSetQuery>
export type PriceQuery = Static<typeof PriceQuery>
export type CreatePrice = Static<typeof CreatePrice>
