import { commonHandlers } from '../common-handlers.ts'
import { maintenanceHandlers } from '../maintenance.ts'
import type { MessagesV16 } from '../messages-v16.ts'
import { makeMeter } from '../meter.ts'
import type { Handlers, OcppDeps } from '../types.ts'
import { bootHandlers } from './boot.ts'
import { transactionHandlers } from './transactions.ts'

/** All handlers of OCPP 1.6; one file per family of messages. */
export const makeHandlers16 = (deps: OcppDeps): Handlers<MessagesV16> => ({
  ...commonHandlers(deps),
  ...bootHandlers(deps),
  ...transactionHandlers(deps, makeMeter(deps)),
  ...maintenanceHandlers(deps),
})
