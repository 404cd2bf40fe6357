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
    choices(search, {
      tab: ['sessions', 'commands', 'events', 'profiles', 'local-list', 'certificates', 'files'],
    }),
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

const management = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/management',
  component: lazyRouteComponent(
    () => import('../areas/charging/charging-management-page.tsx'),
    'ChargingManagementPage',
  ),
  validateSearch: (search: Record<string, unknown>) =>
    choices(search, { tab: ['groups', 'reservations', 'tags'] }),
})

export const chargingRoutes = [chargers, charger, sessions, session, management] as const
