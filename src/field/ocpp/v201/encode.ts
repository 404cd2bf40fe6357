import type { Encoders } from '../types.ts'
import { CORE_ENCODERS_201 } from './encode-core.ts'
import { DEVICE_MODEL_ENCODERS_201 } from './encode-device-model.ts'
import { MAINTENANCE_ENCODERS_201 } from './encode-maintenance.ts'
import { SMART_CHARGING_ENCODERS_201 } from './encode-smart-charging.ts'

/** The encoders of all commands in OCPP 2.0.1. */
export const ENCODERS_201: Encoders = {
  ...CORE_ENCODERS_201,
  ...DEVICE_MODEL_ENCODERS_201,
  ...SMART_CHARGING_ENCODERS_201,
  ...MAINTENANCE_ENCODERS_201,
}
