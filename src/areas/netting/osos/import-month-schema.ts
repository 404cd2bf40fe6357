import { Type } from 'typebox'
import { BillingPeriod, described, Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import { ListQuery } from '../../../platform/http/page.ts'

export const ImportedMonth = Type.Object(
  {
    billing_period: BillingPeriod,
    group_id: Nullable(
      described(
        Id,
        'Group of the facility of the readings in this month; null: the facility is in no group.',
      ),
    ),
    group_name: Nullable(Type.String({ description: 'Name of the group.' })),
    hours: Type.Integer({
      description:
        'Hours of the month that the import stored, new or corrected, of the members of the group.',
    }),
    calculated_at: Nullable(
      described(Instant, 'Start of the latest current run of the group in the month; null: not calculated.'),
    ),
  },
  { title: 'OsosImportedMonth' },
)
export const ImportedMonthQuery = Type.Object({ ...ListQuery() })
