import type { Encoders } from '../types.ts'
import { CORE_ENCODERS_16 } from './encode-core.ts'
import { MAINTENANCE_ENCODERS_16 } from './encode-maintenance.ts'
import { SMART_CHARGING_ENCODERS_16 } from './encode-smart-charging.ts'

/** How our commands are said in OCPP 1.6; one file a family of commands. */
export const ENCODERS_16: Encoders = {
  ...CORE_ENCODERS_16,
  ...MAINTENANCE_ENCODERS_16,
  ...SMART_CHARGING_ENCODERS_16,
}
