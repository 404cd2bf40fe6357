import type { App } from '../../platform/http/app-type.ts'
import { answerErrorsAs } from '../../platform/http/errors.ts'
import { acceptIdempotencyKeys } from '../../platform/http/idempotency.ts'
import { hourlyEnergyRoutes } from './hourly-energy/index.ts'

/** Everything under /api/mahsuplasma, one area a line. */
export function nettingRoutes(app: App): void {
  answerErrorsAs(app, 'nested')
  acceptIdempotencyKeys(app)
  hourlyEnergyRoutes(app)
}
