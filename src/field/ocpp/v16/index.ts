import { commonHandlers } from '../common-handlers.ts'
import { maintenanceHandlers } from '../maintenance.ts'
import { makeMeter } from '../meter.ts'
import type { Handlers, OcppDeps } from '../types.ts'
import { authorizeHandlers } from './authorize.ts'
import { bootHandlers } from './boot.ts'
import { meterValueHandlers } from './meter-values.ts'
import { statusHandlers } from './status.ts'
import { transactionHandlers } from './transactions.ts'

/** What is done about each message of an OCPP 1.6 station; one file a family of messages. */
export function makeHandlers16(deps: OcppDeps): Handlers {
  const meter = makeMeter(deps)
  return {
    ...authorizeHandlers(deps),
    ...commonHandlers(deps),
    ...bootHandlers(deps),
    ...meterValueHandlers(meter),
    ...statusHandlers(deps),
    ...transactionHandlers(deps, meter),
    ...maintenanceHandlers(deps),
  }
}
