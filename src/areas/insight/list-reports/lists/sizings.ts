import { type ListReport, listReport } from '../list-report.ts'

/** Sizings: the figures of a scenario for each of several sizes. */
export const SIZING_LISTS: readonly ListReport[] = [
  listReport(
    'sizings',
    '/api/mahsuplasma/sizings',
    ['Boyutlandırmalar', 'Sizings'],
    'name state from to is_stale created_at | points_total points_done unit finished_at group_ids id',
  ),
  listReport(
    'sizing_points',
    '/api/mahsuplasma/sizings/{id}#points',
    ['Boyutlandırmanın noktaları', 'Points of the sizing'],
    'size matched_kwh bedelli_kwh skb_kwh balance_try benefit_try cost_try payback_years | ' +
      'production_kwh consumption_kwh net_import_kwh bedelsiz_kwh limit_used_kwh first_over_limit_hour',
  ),
]
