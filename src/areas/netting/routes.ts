import type { App } from '../../platform/http/app-type.ts'
import { answerErrorsAs } from '../../platform/http/errors.ts'
import { acceptIdempotencyKeys } from '../../platform/http/idempotency.ts'
import { auditRoutes } from './audit/index.ts'
import { calculationRoutes } from './calculation/index.ts'
import { correctionRoutes } from './corrections/index.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { eligibilityRoutes } from './eligibility/index.ts'
import { forecastRoutes } from './forecast/routes.ts'
import { hourlyEnergyRoutes } from './hourly-energy/index.ts'
import { facilityRoutes } from './registry/facilities/routes.ts'
import { groupRoutes } from './registry/groups/routes.ts'
import { limitRoutes } from './registry/limits/routes.ts'
import { inverterRoutes } from './registry/metering/inverters/routes.ts'
import { meteringRoutes } from './registry/metering/routes.ts'
import { organizationRoutes } from './registry/organizations/routes.ts'
import { scopeRoutes } from './registry/scopes/routes.ts'

/** Everything under /api/mahsuplasma, one area a line. */
export function nettingRoutes(app: App): void {
  answerErrorsAs(app, 'nested')
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
  dashboardRoutes(app)
  forecastRoutes(app)
  auditRoutes(app)
}
