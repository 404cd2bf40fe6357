import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  described,
  Id,
  Instant,
  Nullable,
  OneOf,
  Warnings,
} from '../../../platform/http/fields.ts'
import { MessageText } from '../../../platform/http/message-texts.ts'
import { ListQuery, Search } from '../../../platform/http/page.ts'
import { MonthlySummary, Scenario } from '../calculation/index.ts'
import { BULK_GROUPS_MAX, CORRECTION_REASON_MAX_LENGTH, CORRECTION_REASON_MIN_LENGTH } from '../limits.ts'
import { EligibilityStatus } from '../shared/index.ts'
import { STALE_FIELDS } from '../stale/index.ts'

const PERIOD_TEXT = 'the first day of a Turkey-local month; any date of it, or YYYY-MM, is truncated.'
const MONTH_STATUSES = ['not_calculated', 'partial', 'calculated'] as const

export const OverviewQuery = Type.Object({
  ...ListQuery(),
  search: Search('name'),
  billing_period: described(BillingPeriod, `Month: ${PERIOD_TEXT}`),
  scope_id: Type.Optional(Id),
  is_active: Type.Optional(Type.Boolean()),
  month_status: Type.Optional(described(OneOf(MONTH_STATUSES), 'Only groups with this status of the month.')),
  stale: Type.Optional(
    Type.Boolean({ description: 'Only groups whose month is stale, or only the others.' }),
  ),
})

const OpenAlarm = Type.Object({
  incident_id: described(Id, 'Incident.'),
  alarm_type: Type.String({ description: 'Name of the alarm policy.' }),
  severity: described(OneOf(['info', 'warning', 'critical']), 'Severity of the incident.'),
  message: Type.String({ description: 'Text of the incident.' }),
})

/** The figures of a monthly summary that the overview repeats. */
const {
  production_kwh,
  consumption_kwh,
  matched_kwh,
  net_import_kwh,
  surplus_kwh,
  bedelli_kwh,
  skb_kwh,
  bedelsiz_kwh,
  amounts_try,
  price_gaps,
  limit_closing_kwh,
  hours_expected,
  hours_calculated,
  completeness_pct,
  data_quality,
} = MonthlySummary.properties
const Figures = Type.Object({
  ...{ production_kwh, consumption_kwh, matched_kwh, net_import_kwh, surplus_kwh },
  ...{ bedelli_kwh, skb_kwh, bedelsiz_kwh, amounts_try, price_gaps, limit_closing_kwh },
  ...{ hours_expected, hours_calculated, completeness_pct, data_quality },
})

export const GroupMonth = Type.Object(
  {
    group_id: described(Id, 'Group.'),
    name: Type.String({ description: 'Name of the group.' }),
    is_active: Type.Boolean({ description: 'false: the group is not calculated.' }),
    eligibility_status: described(EligibilityStatus, 'Result of the latest evaluation.'),
    billing_period: described(BillingPeriod, 'Month.'),
    month_status: described(
      OneOf(MONTH_STATUSES),
      'not_calculated: no result; partial: hours of the month are missing; calculated: every expected hour has one.',
    ),
    scenario: Nullable(described(Scenario, 'Rules that apply to the month; null without a result.')),
    figures: Nullable(
      Type.Unsafe<Static<typeof Figures>>({
        ...Figures,
        description: 'Figures of the monthly summary; null without a result.',
      }),
    ),
    ...STALE_FIELDS,
    alarms: Type.Array(OpenAlarm, {
      description: 'Open alarms about the group as a whole and about this month, by name.',
    }),
    ...Warnings,
  },
  { title: 'GroupMonth' },
)

export const BulkBody = Type.Object(
  {
    action: described(OneOf(['calculate', 'correct']), 'Work for each group.'),
    billing_period: described(BillingPeriod, `Month to calculate or to correct from: ${PERIOD_TEXT}`),
    group_ids: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: BULK_GROUPS_MAX,
        uniqueItems: true,
        description: `Groups, at most ${BULK_GROUPS_MAX}. Default: every active group.`,
      }),
    ),
    reason: Type.Optional(
      Type.String({
        minLength: CORRECTION_REASON_MIN_LENGTH,
        maxLength: CORRECTION_REASON_MAX_LENGTH,
        description: 'Reason of the corrections; required for correct, refused for calculate.',
      }),
    ),
  },
  { title: 'StartBulkCalculation' },
)

export const GROUP_RESULTS = ['waiting', 'completed', 'unchanged', 'incomplete', 'refused', 'failed'] as const
const count = (description: string) => Type.Integer({ description })

export const Bulk = Type.Object(
  {
    id: Id,
    action: described(OneOf(['calculate', 'correct']), 'Work for each group.'),
    billing_period: described(BillingPeriod, 'Month.'),
    reason: Nullable(Type.String({ description: 'Reason of the corrections.' })),
    requested_by: Nullable(described(Id, 'User who sent the request.')),
    status: described(OneOf(['running', 'finished']), 'finished: every group has a result.'),
    progress_pct: count('Share of the groups with a result, %, rounded down.'),
    groups_total: count('Number of groups.'),
    groups_waiting: count('Groups without a result.'),
    groups_completed: count('Groups with new runs.'),
    groups_unchanged: count('Groups whose input was unchanged.'),
    groups_incomplete: count('Groups whose correction stopped at a later period.'),
    groups_refused: count('Groups that a rule refused.'),
    groups_failed: count('Groups that ended in an error; the log of the service says why.'),
    created_at: Instant,
    finished_at: Nullable(described(Instant, 'Time of the last result.')),
  },
  { title: 'BulkCalculation' },
)

export const BulkGroupsQuery = Type.Object({
  ...ListQuery(),
  search: Search('name'),
  status: Type.Optional(OneOf(GROUP_RESULTS)),
})
export const BulkGroup = Type.Object(
  {
    group_id: described(Id, 'Group.'),
    name: Type.String({ description: 'Name of the group.' }),
    status: described(
      OneOf(GROUP_RESULTS),
      'completed: new runs; unchanged: equal input; incomplete: a correction stopped, the same request resumes it.',
    ),
    run_ids: Type.Array(Id, { description: 'Created runs, in time order.' }),
    error_code: Nullable(Type.String({ description: 'Code of a refusal or failure.' })),
    error: Nullable(MessageText('Text of a refusal or failure.')),
    finished_at: Nullable(described(Instant, 'Time of the result.')),
    ...Warnings,
  },
  { title: 'BulkCalculationGroup' },
)
export const BulkQuery = Type.Object(ListQuery())

export type OverviewQuery = Static<typeof OverviewQuery>
export type GroupMonth = Static<typeof GroupMonth>
export type BulkBody = Static<typeof BulkBody>
export type Bulk = Static<typeof Bulk>
export type BulkGroupsQuery = Static<typeof BulkGroupsQuery>
export type BulkQuery = Static<typeof BulkQuery>
