import { commonHandlers } from '../common-handlers.ts'
import { maintenanceHandlers } from '../maintenance.ts'
import type { MessagesV16 } from '../messages-v16.ts'
import { makeMeter } from '../meter.ts'
import type { Encoders, Handlers, OcppDeps } from '../types.ts'
import { bootHandlers } from './boot.ts'
import { CORE_ENCODERS_16 } from './encode-core.ts'
import { MAINTENANCE_ENCODERS_16 } from './encode-maintenance.ts'
import { SMART_CHARGING_ENCODERS_16 } from './encode-smart-charging.ts'
import { transactionHandlers } from './transactions.ts'

/** All handlers of OCPP 1.6; one file per family of messages. */
export const makeHandlers16 = (deps: OcppDeps): Handlers<MessagesV16> => ({
  ...commonHandlers(deps),
  ...bootHandlers(deps),
  ...transactionHandlers(deps, makeMeter(deps)),
  ...maintenanceHandlers(deps),
})

/** The encoders of all commands in OCPP 1.6; one file per family of commands. */
export const ENCODERS_16: Encoders = {
  ...CORE_ENCODERS_16,
  ...MAINTENANCE_ENCODERS_16,
  ...SMART_CHARGING_ENCODERS_16,
}
