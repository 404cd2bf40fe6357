import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { STEP_NAMES, type StepName } from '../areas/setup/step-names.ts'
import { BASE_URL } from '../kernel/base-url.ts'
import { administrationRoutes } from './administration-routes.ts'
import { alarmRoutes } from './alarm-routes.ts'
import { chargingRoutes } from './charging-routes.ts'
import { equipmentRoutes } from './equipment-routes.ts'
import { insightRoutes } from './insight-routes.ts'
import { nettingRoutes } from './netting-routes.ts'
import { plantRoutes } from './plant-routes.ts'
import { registryRoutes } from './registry-routes.ts'
import { root, signedIn } from './root-routes.ts'
import { choiceSearch, idSearch, type Search } from './search.ts'
import { sessionRoutes } from './session-routes.ts'
import { tariffRoutes } from './tariff-routes.ts'

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview', replace: true })
  },
})

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/overview',
  component: lazyRouteComponent(() => import('../areas/overview/overview-page.tsx'), 'OverviewPage'),
  validateSearch: (search: Search) => ({ ...idSearch(search, 'facility'), ...idSearch(search, 'subregion') }),
})

const setup = createRoute({
  getParentRoute: () => signedIn,
  path: '/setup',
  component: lazyRouteComponent(() => import('../areas/setup/setup-page.tsx'), 'SetupPage'),
  validateSearch: (search: Search): { step?: StepName | undefined } =>
    choiceSearch(search, 'step', STEP_NAMES),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('../areas/session/account-page.tsx'), 'AccountPage'),
})

const routeTree = root.addChildren([
  index,
  ...sessionRoutes,
  signedIn.addChildren([
    overview,
    setup,
    account,
    ...alarmRoutes,
    ...nettingRoutes,
    ...insightRoutes,
    ...equipmentRoutes,
    ...chargingRoutes,
    ...plantRoutes,
    ...tariffRoutes,
    ...registryRoutes,
    ...administrationRoutes,
  ]),
])

export function makeRouter() {
  return createRouter({
    routeTree,
    basepath: new URL(BASE_URL).pathname,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
