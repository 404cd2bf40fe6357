import { type ListReport, listReport } from '../list-report.ts'

const REGISTRY: readonly ListReport[] = [
  listReport(
    'scopes',
    '/api/mahsuplasma/scopes',
    ['Resmî taraflar', 'Official parties'],
    'name external_party_ref declaration_source declared_at notes | created_at id',
  ),
  listReport(
    'organizations',
    '/api/mahsuplasma/organizations',
    ['Kuruluşlar', 'Organisations'],
    'name org_type is_active is_system | created_at id',
  ),
  listReport(
    'facilities',
    '/api/mahsuplasma/facilities',
    ['Tesisler', 'Facilities'],
    'name scope_id subregion_id abone_grubu source_type installed_power_kw valid_from valid_to | ' +
      'contracted_power_kw voltage_level tariff_supply_type producer_tariff_group is_multi_time has_ess ' +
      'ess_capacity_kwh ess_power_kw grid_operator_id distribution_company_id retail_or_zone_operator_id ' +
      'meter_reading_org_id supplier_id created_at updated_at id',
  ),
  listReport(
    'metering_points',
    '/api/mahsuplasma/facilities/{id}/meters',
    ['Ölçüm noktaları', 'Metering points'],
    'meter_no valid_from valid_to osos_installation_id notes | meter_reading_org_id facility_id ' +
      'created_at id',
  ),
  listReport(
    'meter_assignments',
    '/api/mahsuplasma/meters/assignments',
    ['Sayaç atamaları', 'Meter assignments'],
    'device_id measurement_role subregion_id facility_id valid_from valid_to | metering_point_id ' +
      'created_at id',
  ),
  listReport(
    'meter_changes',
    '/api/mahsuplasma/meters/changes',
    ['Sayaç değişimleri', 'Meter changes'],
    'changed_at device_id osos_installation_id register old_end_kwh new_start_kwh | old_serial_no ' +
      'new_serial_no note recorded_by recorded_at corrections voided_at voided_by void_reason id',
  ),
  listReport(
    'groups',
    '/api/mahsuplasma/groups',
    ['Mahsuplaşma grupları', 'Netting groups'],
    'name scope_id group_status eligibility_status correction_mode is_active stale | ' +
      'responsible_supplier_id correction_quiet_minutes stale_periods notes created_at id',
  ),
  listReport(
    'group_members',
    '/api/mahsuplasma/groups/{id}/members',
    ['Grubun üyeleri', 'Members of the group'],
    'facility_id member_role valid_from valid_to | declared_by warnings created_at id',
  ),
  listReport(
    'limit_accounts',
    '/api/mahsuplasma/limits/accounts',
    ['Limit hesapları', 'Limit accounts'],
    'facility_id year initial_limit_kwh limit_source | used_limit_kwh remaining_limit_kwh created_at id',
  ),
  listReport(
    'limit_movements',
    '/api/mahsuplasma/limits/accounts/{id}/movements',
    ['Limit hareketleri', 'Limit movements'],
    'created_at movement_type amount_kwh reason | account_id contracted_power_confirmed ' +
      'calculation_run_id created_by id',
  ),
]

const FIGURES = 'matched_kwh bedelli_kwh skb_kwh bedelsiz_kwh net_import_kwh total_try'.split(' ')
/** The figures of a month by the hour, by the month, and their differences. */
const COMPARED = [
  'billing_period hourly.matched_kwh hourly.total_try monthly.matched_kwh monthly.total_try difference.total_try |',
  ...['hourly', 'monthly', 'difference'].flatMap((side) =>
    FIGURES.map((figure) => `${side}.${figure}`).filter(
      (column) => !/^(hourly|monthly)\.(matched_kwh|total_try)$|^difference\.total_try$/.test(column),
    ),
  ),
].join(' ')

const RESULTS: readonly ListReport[] = [
  listReport(
    'group_months',
    '/api/mahsuplasma/groups/overview',
    ['Grupların ayları', 'Months of the groups'],
    'name billing_period month_status eligibility_status figures.production_kwh figures.consumption_kwh ' +
      'figures.matched_kwh stale | scenario is_active figures.net_import_kwh figures.surplus_kwh ' +
      'figures.bedelli_kwh figures.skb_kwh figures.bedelsiz_kwh stale_hours stale_since stale_reasons ' +
      'group_id',
  ),
  listReport(
    'group_runs',
    '/api/mahsuplasma/groups/{id}/runs',
    ['Hesaplamalar', 'Calculation runs'],
    'started_at billing_period scenario triggered_by status is_current stale | from_hour to_hour ' +
      'finished_at input_hash parent_run_id eligibility_run_id stage stale_hours stale_since ' +
      'stale_reasons id',
  ),
  listReport(
    'group_hours',
    '/api/mahsuplasma/groups/{id}/hourly',
    ['Saatler', 'Hours'],
    'hour production_kwh consumption_kwh matched_kwh bedelli_kwh skb_kwh bedelsiz_kwh data_quality | ' +
      'surplus_kwh net_import_kwh matched_over_limit_kwh limit_before_kwh limit_used_kwh limit_after_kwh ' +
      'mesken_informational is_current calculation_run_id id',
  ),
  listReport(
    'group_virtual_meters',
    '/api/mahsuplasma/groups/{id}/virtual-meters',
    ['Sanal sayaçlar', 'Virtual meters'],
    'hour virtual_meter_type grid_operator_id source_kind reason_code energy_kwh | is_current ' +
      'calculation_run_id id',
  ),
  listReport(
    'group_amounts',
    '/api/mahsuplasma/groups/{id}/amounts',
    ['Tutarlar', 'Amounts'],
    'hour amount_type facility_id quantity_kwh unit_price_try_per_kwh amount_try | step_no source_kind ' +
      'grid_operator_id tariff_price_id is_current calculation_run_id id',
  ),
  listReport(
    'group_amount_totals',
    '/api/mahsuplasma/groups/{id}/amounts/totals#by_type',
    ['Tutar toplamları', 'Sums of the amounts'],
    'amount_type quantity_kwh amount_try rows rows_without_price |',
  ),
  listReport(
    'group_comparison',
    '/api/mahsuplasma/groups/{id}/comparison#',
    ['Saatlik ve aylık mahsuplaşma', 'Netting by the hour and by the month'],
    COMPARED,
  ),
  listReport(
    'group_eligibility',
    '/api/mahsuplasma/groups/{id}/eligibility#rules',
    ['Uygunluk kuralları', 'Eligibility rules'],
    'code status severity is_blocking message | reason_code',
  ),
  listReport(
    'group_evaluations',
    '/api/mahsuplasma/groups/{id}/evaluations',
    ['Uygunluk değerlendirmeleri', 'Evaluations of eligibility'],
    'evaluated_at billing_period eligibility_status triggered_by reason | correction_required ' +
      'eligibility_run_id',
  ),
  listReport(
    'hourly_energy',
    '/api/mahsuplasma/facilities/{id}/hourly-energy',
    ['Tesisin saatlik enerjisi', 'Hourly energy of the facility'],
    'hour facility_id source measurement_role production_kwh consumption_kwh data_quality | ' +
      'self_consumption_kwh import_kwh export_kwh battery_kwh completeness_pct',
  ),
  listReport(
    'bulk_calculations',
    '/api/mahsuplasma/groups/bulk',
    ['Toplu hesaplamalar', 'Bulk calculations'],
    'created_at action billing_period status progress_pct groups_total groups_failed | reason ' +
      'groups_waiting groups_completed groups_unchanged groups_incomplete groups_refused requested_by ' +
      'finished_at id',
  ),
  listReport(
    'bulk_calculation_groups',
    '/api/mahsuplasma/groups/bulk/{id}/groups',
    ['Toplu hesaplamanın grupları', 'Groups of the bulk calculation'],
    'name status error finished_at | error_code warnings run_ids group_id',
  ),
  listReport(
    'history_calculations',
    '/api/mahsuplasma/history/jobs/{id}#steps',
    ['Geçmişin hesaplanması', 'Calculation of the history'],
    'billing_period group_name state hours error_message finished_at | error_code group_id',
  ),
]

const READINGS: readonly ListReport[] = [
  listReport(
    'osos_installations',
    '/api/osos/installations',
    ['OSOS tesisatları', 'OSOS installations'],
    'installation_no facility_id measurement_role multiplier fact_source | distribution_company_id ' +
      'created_at id',
  ),
  listReport(
    'osos_readings',
    '/api/osos/installations/{id}/readings',
    ['OSOS okumaları', 'OSOS readings'],
    'hour import_kwh export_kwh is_suspect completeness_pct stored_at | raw_text is_reset revision ' +
      'import_id',
  ),
  listReport(
    'osos_imports',
    '/api/osos/imports',
    ['Okuma yüklemeleri', 'Imports of readings'],
    'created_at installation_id file_name accepted corrected suspect rejected | rows_read unchanged ' +
      'label multiplied sha256 created_by id',
  ),
  listReport(
    'osos_import_months',
    '/api/osos/imports/{id}/months',
    ['Yüklemenin ayları', 'Months of the import'],
    'billing_period group_name hours calculated_at | group_id',
  ),
  listReport(
    'market_prices',
    '/api/energy-market/prices',
    ['Piyasa fiyatları', 'Market prices'],
    'ts market price_try_per_mwh price_status | fetched_at',
  ),
  listReport(
    'tariff_price_sets',
    '/api/v1/admin/regulated-tariffs/price-sets',
    ['Tarife setleri', 'Tariff price sets'],
    'billing_period name approval_status approved_at source_note | approved_by created_by created_at id',
  ),
  listReport(
    'tariff_prices',
    '/api/v1/admin/regulated-tariffs/price-sets/{id}/prices',
    ['Tarife fiyatları', 'Tariff prices'],
    'price_purpose abone_grubu gerilim_seviyesi time_segment step_no price unit valid_from | valid_to ' +
      'billing_period tariff_code tariff_class source_note created_at id',
  ),
]

const INVOICES: readonly ListReport[] = [
  listReport(
    'invoice_checks',
    '/api/mahsuplasma/invoice-checks',
    ['Fatura denetimleri', 'Invoice checks'],
    'created_at file_name supplier invoice_number differing claim_try objection_status objection_due_on | ' +
      'group_name billing_period format agreeing undecidable is_stale received_on received_from ' +
      'objection_reminder_on file_sha256 repeats created_by id',
  ),
  listReport(
    'invoice_objection_steps',
    '/api/mahsuplasma/invoice-checks/{id}#steps',
    ['İtirazın adımları', 'Steps of an objection'],
    'on status amount_try note created_at | created_by id',
  ),
  listReport(
    'invoice_check_changes',
    '/api/mahsuplasma/invoice-checks/{id}/comparison#lines',
    ['Yinelenen denetimde değişenler', 'Changes of a repeated check'],
    'line key description before_verdict before_claim_try after_verdict after_claim_try | before_cause after_cause',
  ),
  listReport(
    'invoice_mappings',
    '/api/mahsuplasma/invoice-mappings',
    ['Fatura alan eşlemeleri', 'Field mappings of invoices'],
    'supplier layout label updated_at | id',
  ),
]

export const NETTING_LISTS: readonly ListReport[] = [...REGISTRY, ...RESULTS, ...READINGS, ...INVOICES]
