/** The energies of an hour, in kWh. */
export const RESULT_HOUR_KWH_COLUMNS = [
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'surplus_kwh',
  'net_import_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
  'matched_over_limit_kwh',
  'limit_before_kwh',
  'limit_used_kwh',
  'limit_after_kwh',
] as const
/**
 * The columns that a run writes, by table. The read routes return them, and an audit package contains them.
 */
export const RESULT_HOUR_COLUMNS = [
  'hour',
  ...RESULT_HOUR_KWH_COLUMNS,
  'mesken_informational',
  'data_quality',
] as const
export const RESULT_METER_COLUMNS = [
  'hour',
  'virtual_meter_type',
  'grid_operator_id',
  'source_kind',
  'reason_code',
  'energy_kwh',
] as const
export const RESULT_AMOUNT_COLUMNS = [
  'hour',
  'facility_id',
  'amount_type',
  'grid_operator_id',
  'source_kind',
  'step_no',
  'quantity_kwh',
  'unit_price_try_per_kwh',
  'amount_try',
  'tariff_price_id',
] as const
