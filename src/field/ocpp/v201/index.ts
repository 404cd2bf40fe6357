import { commonHandlers } from '../common-handlers.ts'
import { maintenanceHandlers } from '../maintenance.ts'
import type { MessagesV201 } from '../messages-v201.ts'
import type { Encoders, Handlers, OcppDeps } from '../types.ts'
import { bootHandlers } from './boot.ts'
import { deviceModelHandlers } from './device-model.ts'
import { CORE_ENCODERS_201 } from './encode-core.ts'
import { DEVICE_MODEL_ENCODERS_201 } from './encode-device-model.ts'
import { MAINTENANCE_ENCODERS_201 } from './encode-maintenance.ts'
import { SMART_CHARGING_ENCODERS_201 } from './encode-smart-charging.ts'
import { reportHandlers } from './reports.ts'
import { reservationHandlers } from './reservations.ts'
import { transactionHandlers } from './transactions.ts'

/** All handlers of OCPP 2.0.1; one file per family of messages. */
export const makeHandlers201 = (deps: OcppDeps): Handlers<MessagesV201> => ({
  ...commonHandlers(deps),
  ...bootHandlers(deps),
  ...transactionHandlers(deps),
  ...deviceModelHandlers(deps),
  ...reportHandlers(deps),
  ...reservationHandlers(deps),
  ...maintenanceHandlers(deps),
})

/** The encoders of all commands in OCPP 2.0.1. */
export const ENCODERS_201: Encoders = {
  ...CORE_ENCODERS_201,
  ...DEVICE_MODEL_ENCODERS_201,
  ...SMART_CHARGING_ENCODERS_201,
  ...MAINTENANCE_ENCODERS_201,
}
