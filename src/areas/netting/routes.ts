import type { App } from '../../platform/http/app-type.ts'
import { setErrorShape } from '../../platform/http/errors.ts'
import { acceptIdempotencyKeys } from '../../platform/http/idempotency.ts'
import { allGroupsRoutes } from './all-groups/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { calculationRoutes } from './calculation/routes.ts'
import { correctionRoutes } from './corrections/routes.ts'
import { eligibilityRoutes } from './eligibility/routes.ts'
import { forecastRoutes } from './forecast/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { hourlyEnergyRoutes } from './hourly-energy/routes.ts'
import { hourlyForecastRoutes } from './hourly-forecasts/routes.ts'
import { monthKeyFiguresRoutes } from './month-key-figures/routes.ts'
import { optimisationRoutes } from './optimisation/routes.ts'
import { invoiceCheckRoutes } from './reconciliation/check-routes.ts'
import { invoiceMappingRoutes } from './reconciliation/mapping-routes.ts'
import { facilityRoutes } from './registry/facilities/routes.ts'
import { groupRoutes } from './registry/groups/routes.ts'
import { limitRoutes } from './registry/limits/routes.ts'
import { meterChangeRoutes } from './registry/meter-changes/routes.ts'
import { inverterRoutes } from './registry/metering/inverters/routes.ts'
import { meteringRoutes } from './registry/metering/routes.ts'
import { organizationRoutes } from './registry/organizations/routes.ts'
import { scopeRoutes } from './registry/scopes/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { scenarioRoutes } from './scenarios/routes.ts'
import { sizingRoutes } from './sizings/routes.ts'
import { nettingSettingsRoutes } from './tenant-settings/routes.ts'

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
  meterChangeRoutes(app)
  inverterRoutes(app)
  groupRoutes(app)
  eligibilityRoutes(app)
  limitRoutes(app)
  hourlyEnergyRoutes(app)
  calculationRoutes(app)
  correctionRoutes(app)
  allGroupsRoutes(app)
  monthKeyFiguresRoutes(app)
  forecastRoutes(app)
  auditRoutes(app)
  nettingSettingsRoutes(app)
  historyRoutes(app)
  reportRoutes(app)
  invoiceMappingRoutes(app)
  invoiceCheckRoutes(app)
  scenarioRoutes(app)
  hourlyForecastRoutes(app)
  optimisationRoutes(app)
  sizingRoutes(app)
}
