import { type ListReport, listReport } from '../list-report.ts'

const ENERGIES = 'production_kwh consumption_kwh net_import_kwh bedelli_kwh skb_kwh bedelsiz_kwh'.split(' ')
const figures = (sides: readonly string[], names: readonly string[]): string =>
  names.flatMap((name) => sides.map((side) => `${side}.${name}`)).join(' ')
const SIDES = ['base', 'scenario']
const TOTALS = SIDES.map((side) => `totals.${side}`)

/** The results of scenarios, beside those of their base. */
export const SCENARIO_LISTS: readonly ListReport[] = [
  listReport(
    'scenarios',
    '/api/mahsuplasma/scenarios',
    ['Senaryolar', 'Scenarios'],
    'name state from to cost_try is_stale created_at | months_total months_done finished_at group_ids id',
  ),
  listReport(
    'scenario_comparison',
    '/api/mahsuplasma/scenarios/comparison',
    ['Senaryoların karşılaştırılması', 'Comparison of scenarios'],
    `name from to cost_try ${figures(TOTALS, ['matched_kwh'])} totals.benefit_try totals.payback_years | ` +
      `${figures(TOTALS, [...ENERGIES, 'balance_try'])} is_stale id`,
  ),
  listReport(
    'scenario_totals',
    '/api/mahsuplasma/scenarios/{id}#',
    ['Senaryonun toplamları', 'Totals of the scenario'],
    `name from to cost_try ${figures(TOTALS, ['matched_kwh'])} totals.benefit_try totals.payback_years | ` +
      `${figures(TOTALS, [...ENERGIES, 'balance_try'])} is_stale id`,
  ),
  listReport(
    'scenario_batteries',
    '/api/mahsuplasma/scenarios/{id}#batteries',
    ['Senaryonun bataryaları', 'Batteries of the scenario'],
    'facility_id charged_kwh discharged_kwh loss_kwh left_kwh | change',
  ),
  listReport(
    'scenario_months',
    '/api/mahsuplasma/scenarios/{id}/months',
    ['Senaryonun ayları', 'Months of the scenario'],
    `group_name billing_period ${figures(SIDES, ['matched_kwh', 'balance_try'])} benefit_try | ` +
      `${figures(SIDES, ENERGIES)} group_id`,
  ),
  listReport(
    'scenario_members',
    '/api/mahsuplasma/scenarios/{id}/members',
    ['Senaryonun tesisleri', 'Facilities of the scenario'],
    `facility_name billing_period ${figures(SIDES, ['matched_consumption_kwh', 'purchase_try'])} | ` +
      `${figures(SIDES, [...ENERGIES, 'matched_production_kwh', 'revenue_try', 'fee_try'])} facility_id group_id`,
  ),
  listReport(
    'scenario_hours',
    '/api/mahsuplasma/scenarios/{id}/hours',
    ['Senaryonun saatleri', 'Hours of the scenario'],
    `hour ${figures(SIDES, ['matched_kwh', 'net_import_kwh', 'balance_try'])} | ` +
      `${figures(SIDES, ['production_kwh', 'consumption_kwh', 'bedelli_kwh', 'skb_kwh', 'bedelsiz_kwh', 'limit_after_kwh'])}`,
  ),
]
