import { type ListReport, listReport } from '../list-report.ts'

const FIGURES = [
  'production_kwh consumption_kwh matched_kwh net_import_kwh',
  'bedelli_kwh skb_kwh bedelsiz_kwh limit_used_kwh balance_try',
]
  .join(' ')
  .split(' ')
const PRINTED = ['matched_kwh', 'balance_try']
const sides = (names: readonly string[]): string =>
  names.flatMap((name) => ['base', 'proposal'].map((side) => `result.${side}.${name}`)).join(' ')

/** Optimisations and their proposals. */
export const OPTIMISATION_LISTS: readonly ListReport[] = [
  listReport(
    'optimisations',
    '/api/mahsuplasma/optimisations',
    ['Eniyilemeler', 'Optimisations'],
    'name kind state from to benefit_try gap_try | is_stale created_at steps_total steps_done finished_at group_ids id',
  ),
  listReport(
    'optimisation_result',
    '/api/mahsuplasma/optimisations/{id}#',
    ['Eniyilemenin sonucu', 'Result of the optimisation'],
    `name ${sides(PRINTED)} result.benefit_try result.gap_try | kind from to ` +
      `${sides(FIGURES.filter((name) => !PRINTED.includes(name)))} result.bound_try result.gap_percent result.proposed_by id`,
  ),
  listReport(
    'optimisation_candidates',
    '/api/mahsuplasma/optimisations/{id}#candidates',
    ['Eniyilemenin adayları', 'Candidates of the optimisation'],
    'name balance_try',
  ),
  listReport(
    'optimisation_outlooks',
    '/api/mahsuplasma/optimisations/{id}#outlooks',
    ['Tahmin bandının uçları', 'Ends of the forecast band'],
    'name base_balance_try balance_try',
  ),
  listReport(
    'optimisation_groups',
    '/api/mahsuplasma/optimisations/{id}#groups',
    ['Grupların uygunluğu', 'Eligibility of the groups'],
    'group_id status failed',
  ),
  listReport(
    'optimisation_flows',
    '/api/mahsuplasma/optimisations/{id}/flows',
    ['Çiftlere göre mahsuplaşan enerji', 'Matched energy by pair'],
    'producer_id consumer_id matched_kwh proportional_kwh value_try',
  ),
  listReport(
    'set_points',
    '/api/mahsuplasma/optimisations/{id}/set-points',
    ['Ayar noktaları', 'Set points'],
    'facility_id hour power_kw',
  ),
]
