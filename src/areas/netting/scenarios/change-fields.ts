const DAYS = ['from', 'to'] as const
export const TERMS = [
  ...(['abone_grubu', 'tariff_supply_type', 'is_multi_time', 'voltage_level'] as const),
  ...(['producer_tariff_group', 'source_type'] as const),
] as const

/** The fields of each type of change besides the type itself. Clients find them in the API document. */
export const CHANGE_FIELDS = {
  add_facility: {
    required: ['facility_id', 'group_id', 'name'],
    optional: ['production', 'consumption', 'limit_kwh', ...DAYS, ...TERMS],
  },
  add_plant: { required: ['facility_id', 'profile'], optional: DAYS },
  add_load: { required: ['facility_id', 'profile'], optional: DAYS },
  scale_plant: { required: ['facility_id', 'factor'], optional: DAYS },
  scale_load: { required: ['facility_id', 'factor'], optional: DAYS },
  add_battery: {
    required: ['facility_id', 'capacity_kwh', 'power_kw', 'efficiency', 'rule'],
    optional: ['balance_of', 'charge_hours', 'discharge_hours', 'schedule_kwh', 'initial_kwh', ...DAYS],
  },
  remove_battery: { required: ['facility_id'], optional: DAYS },
  shift_load: { required: ['facility_id', 'share', 'from_hours', 'to_hours'], optional: DAYS },
  join_group: { required: ['facility_id', 'group_id', 'role'], optional: DAYS },
  leave_group: { required: ['facility_id', 'group_id'], optional: ['from'] },
  move_facility: { required: ['facility_id', 'from_group_id', 'group_id'], optional: ['from'] },
  change_facility: { required: ['facility_id'], optional: ['from', 'role', ...TERMS] },
  change_limit: { required: ['facility_id', 'month', 'amount_kwh'] },
  transfer_limit: { required: ['source_facility_id', 'target_facility_id', 'month', 'amount_kwh'] },
  scale_price: {
    required: ['purpose', 'factor'],
    optional: ['abone_grubu', 'time_segment', 'voltage_level'],
  },
  set_price: {
    required: ['purpose', 'price_try_per_kwh'],
    optional: ['abone_grubu', 'time_segment', 'voltage_level'],
  },
  market_price: { required: ['facility_id'], optional: ['factor', 'margin_try_per_kwh', ...DAYS] },
  netting_interval: { required: ['group_id', 'interval'] },
} as const

/** The fields of each kind of profile besides the kind. */
export const PROFILE_FIELDS = {
  facility: { required: ['facility_id'], optional: ['factor'] },
  national_solar: { required: ['power_kw', 'yield_kwh_per_kw'] },
  hours: { required: ['values_kwh'] },
} as const
