import type { Encoders } from '../types.ts'
import { CORE_ENCODERS_16 } from './encode-core.ts'
import { MAINTENANCE_ENCODERS_16 } from './encode-maintenance.ts'
import { SMART_CHARGING_ENCODERS_16 } from './encode-smart-charging.ts'

/** The encoders of all commands in OCPP 1.6; one file per family of commands. */
export const ENCODERS_16: Encoders = {
  ...CORE_ENCODERS_16,
  ...MAINTENANCE_ENCODERS_16,
  ...SMART_CHARGING_ENCODERS_16,
}
