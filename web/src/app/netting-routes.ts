/** The pages of netting: all groups, and one month of a group in several pages below one heading. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from './root-routes.ts'
import {
  choiceSearch,
  idSearch,
  idsSearch,
  instantSearch,
  listSearch,
  monthSearch,
  pageSearch,
  type Search,
} from './search.ts'

const groups = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting',
  component: lazyRouteComponent(() => import('../areas/netting/groups-page.tsx'), 'GroupsPage'),
  validateSearch: (search: Search) => ({
    ...listSearch(search),
    ...monthSearch(search),
    ...idSearch(search, 'job'),
  }),
})

const group = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/groups/$groupId',
  component: lazyRouteComponent(() => import('../areas/netting/group-page.tsx'), 'GroupPage'),
  validateSearch: monthSearch,
})

/** The values of the selector of the heat map. */
const QUANTITIES = ['production', 'consumption', 'matched', 'paid', 'over-limit', 'free'] as const

const hours = createRoute({
  getParentRoute: () => group,
  path: '/',
  component: lazyRouteComponent(() => import('../areas/netting/hours-page.tsx'), 'HoursPage'),
  validateSearch: (search: Search) => ({
    ...choiceSearch(search, 'quantity', QUANTITIES),
    ...instantSearch(search, 'hour'),
    ...idSearch(search, 'amount'),
    ...instantSearch(search, 'from'),
    ...instantSearch(search, 'to'),
  }),
})

const ledger = createRoute({
  getParentRoute: () => group,
  path: '/ledger',
  component: lazyRouteComponent(() => import('../areas/netting/ledger/ledger-page.tsx'), 'LedgerPage'),
  validateSearch: (search: Search) => idSearch(search, 'account'),
})

const AMOUNT_TYPES = [
  'supplier_payment_for_matched_consumption',
  'producer_payment_for_bedelli_surplus',
  'system_usage_fee_for_skb',
  'sktt_matched_consumption',
  'mesken_monthly_amount',
  'estimated_savings',
  'estimated_loss_or_risk',
] as const

const amounts = createRoute({
  getParentRoute: () => group,
  path: '/amounts',
  component: lazyRouteComponent(() => import('../areas/netting/amounts/amounts-page.tsx'), 'AmountsPage'),
  validateSearch: (search: Search) => ({
    ...choiceSearch(search, 'type', AMOUNT_TYPES),
    ...pageSearch(search),
  }),
})

const rules = createRoute({
  getParentRoute: () => group,
  path: '/rules',
  component: lazyRouteComponent(() => import('../areas/netting/rules/rules-page.tsx'), 'RulesPage'),
})

const members = createRoute({
  getParentRoute: () => group,
  path: '/members',
  component: lazyRouteComponent(() => import('../areas/netting/rules/members-page.tsx'), 'MembersPage'),
})

const runs = createRoute({
  getParentRoute: () => group,
  path: '/runs',
  component: lazyRouteComponent(() => import('../areas/netting/runs/runs-page.tsx'), 'RunsPage'),
  validateSearch: (search: Search) => ({
    ...idSearch(search, 'job'),
    ...idSearch(search, 'first'),
    ...idSearch(search, 'second'),
  }),
})

const reconcile = createRoute({
  getParentRoute: () => group,
  path: '/reconcile',
  component: lazyRouteComponent(
    () => import('../areas/netting/reconcile/reconcile-page.tsx'),
    'ReconcilePage',
  ),
})

const scenarios = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/scenarios',
  component: lazyRouteComponent(
    () => import('../areas/netting/scenarios/scenarios-page.tsx'),
    'ScenariosPage',
  ),
  validateSearch: listSearch,
})

const newScenario = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/scenarios/new',
  component: lazyRouteComponent(() => import('../areas/netting/scenarios/new-page.tsx'), 'NewScenarioPage'),
  validateSearch: (search: Search) => ({
    ...monthSearch(search),
    ...idSearch(search, 'group'),
    ...idSearch(search, 'copy'),
  }),
})

/** The parts of the result of a scenario. */
const VIEWS = ['summary', 'months', 'members', 'hours'] as const

const scenarioComparison = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/scenarios/comparison',
  component: lazyRouteComponent(
    () => import('../areas/netting/scenarios/comparison-page.tsx'),
    'ScenarioComparisonPage',
  ),
  validateSearch: (search: Search) => ({ ...idsSearch(search), ...choiceSearch(search, 'view', VIEWS) }),
})

const optimisations = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/optimisations',
  component: lazyRouteComponent(
    () => import('../areas/netting/optimisation/optimisations-page.tsx'),
    'OptimisationsPage',
  ),
})

const optimisation = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/optimisations/$optimisationId',
  component: lazyRouteComponent(
    () => import('../areas/netting/optimisation/optimisation-page.tsx'),
    'OptimisationPage',
  ),
})

const scenario = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/scenarios/$scenarioId',
  component: lazyRouteComponent(() => import('../areas/netting/scenarios/scenario-page.tsx'), 'ScenarioPage'),
  validateSearch: (search: Search) => choiceSearch(search, 'view', VIEWS),
})

const forecasts = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/forecasts',
  component: lazyRouteComponent(
    () => import('../areas/netting/hourly-forecasts/forecasts-page.tsx'),
    'ForecastsPage',
  ),
  validateSearch: listSearch,
})

const forecast = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/forecasts/$forecastId',
  component: lazyRouteComponent(
    () => import('../areas/netting/hourly-forecasts/forecast-page.tsx'),
    'ForecastPage',
  ),
})

const sizings = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/sizings',
  component: lazyRouteComponent(() => import('../areas/netting/sizings/sizings-page.tsx'), 'SizingsPage'),
  validateSearch: listSearch,
})

const newSizing = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/sizings/new',
  component: lazyRouteComponent(() => import('../areas/netting/sizings/new-page.tsx'), 'NewSizingPage'),
})

const sizing = createRoute({
  getParentRoute: () => signedIn,
  path: '/netting/sizings/$sizingId',
  component: lazyRouteComponent(() => import('../areas/netting/sizings/sizing-page.tsx'), 'SizingPage'),
})

export const nettingRoutes = [
  groups,
  scenarios,
  newScenario,
  scenarioComparison,
  scenario,
  forecasts,
  forecast,
  optimisations,
  optimisation,
  sizings,
  newSizing,
  sizing,
  group.addChildren([hours, amounts, ledger, rules, members, runs, reconcile]),
] as const
