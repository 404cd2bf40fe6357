import type { App } from '../../platform/http/app-type.ts'
import { setErrorShape } from '../../platform/http/errors.ts'
import { acceptIdempotencyKeys } from '../../platform/http/idempotency.ts'
import { auditRoutes } from './audit/index.ts'
import { calculationRoutes } from './calculation/index.ts'
import { correctionRoutes } from './corrections/index.ts'
import { eligibilityRoutes } from './eligibility/index.ts'
import { forecastRoutes } from './forecast/index.ts'
import { hourlyEnergyRoutes } from './hourly-energy/index.ts'
import { monthKeyFiguresRoutes } from './month-key-figures/index.ts'
import {
  facilityRoutes,
  groupRoutes,
  inverterRoutes,
  limitRoutes,
  meteringRoutes,
  organizationRoutes,
  scopeRoutes,
} from './registry/index.ts'

/**
 * The routes below /api/mahsuplasma, except the upload of `reconciliation`, which needs a scope of its own.
 */
export function nettingRoutes(app: App): void {
  setErrorShape(app, 'nested')
  acceptIdempotencyKeys(app)
  scopeRoutes(app)
  facilityRoutes(app)
  organizationRoutes(app)
  meteringRoutes(app)
  inverterRoutes(app)
  groupRoutes(app)
  eligibilityRoutes(app)
  limitRoutes(app)
  hourlyEnergyRoutes(app)
  calculationRoutes(app)
  correctionRoutes(app)
  monthKeyFiguresRoutes(app)
  forecastRoutes(app)
  auditRoutes(app)
}
