/** The roles that bill a facility. A facility is measured when at least one of them is in force. */
export const MAIN_ROLES = [
  'main_production',
  'main_consumption',
  'pcc_import_export',
  'osb_eb_consumption',
] as const

/** Every measurement role, in the order of the wire. */
export const MEASUREMENT_ROLES = [
  ...MAIN_ROLES,
  'battery',
  'self_consumption',
  'aux_production',
  'aux_consumption',
  'check_meter',
] as const
