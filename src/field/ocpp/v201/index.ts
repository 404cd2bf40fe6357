import { commonHandlers } from '../common-handlers.ts'
import { maintenanceHandlers } from '../maintenance.ts'
import type { MessagesV201 } from '../messages-v201.ts'
import type { Handlers, OcppDeps } from '../types.ts'
import { bootHandlers } from './boot.ts'
import { deviceModelHandlers } from './device-model.ts'
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
