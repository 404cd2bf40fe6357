import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { daySearch } from '../kernel/day-range.ts'
import { signedIn } from './root-routes.ts'
import { choices, listSearch } from './search.ts'

const chargers = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging',
  component: lazyRouteComponent(() => import('../areas/charging/chargers-page.tsx'), 'ChargersPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch(search),
    ...choices(search, { connection: ['online', 'offline'] }),
  }),
})

const charger = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/chargers/$chargerId',
  component: lazyRouteComponent(() => import('../areas/charging/charger-page.tsx'), 'ChargerPage'),
  validateSearch: (search: Record<string, unknown>) =>
    choices(search, { tab: ['sessions', 'commands', 'events'] }),
})

const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/sessions',
  component: lazyRouteComponent(() => import('../areas/charging/sessions-page.tsx'), 'SessionsPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch({ page: search['page'] }),
    ...daySearch(search),
    ...choices(search, { state: ['active', 'ended'] }),
  }),
})

const session = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/sessions/$sessionId',
  component: lazyRouteComponent(() => import('../areas/charging/session-page.tsx'), 'SessionPage'),
})

export const chargingRoutes = [chargers, charger, sessions, session] as const
