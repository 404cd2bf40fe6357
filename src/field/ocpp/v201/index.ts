import { commonHandlers } from '../common-handlers.ts'
import { maintenanceHandlers } from '../maintenance.ts'
import type { Handlers, OcppDeps } from '../types.ts'
import { bootHandlers } from './boot.ts'
import { deviceModelHandlers } from './device-model.ts'
import { reportHandlers } from './reports.ts'
import { reservationHandlers } from './reservations.ts'
import { transactionHandlers } from './transactions.ts'

/** What is done about each message of an OCPP 2.0.1 station; one file a family of messages. */
export const makeHandlers201 = (deps: OcppDeps): Handlers => ({
  ...commonHandlers(deps),
  ...bootHandlers(deps),
  ...transactionHandlers(deps),
  ...deviceModelHandlers(deps),
  ...reportHandlers(deps),
  ...reservationHandlers(deps),
  ...maintenanceHandlers(deps),
})
