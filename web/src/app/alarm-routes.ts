import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { NOTIFICATION_TABS } from '../areas/alarms/notification-tabs.ts'
import { signedIn } from './root-routes.ts'
import { choices, listSearch } from './search.ts'

const alarms = createRoute({
  getParentRoute: () => signedIn,
  path: '/alarms',
  component: lazyRouteComponent(() => import('../areas/alarms/alarms-page.tsx'), 'AlarmsPage'),
  validateSearch: (
    search: Record<string, unknown>,
  ): {
    shown?: 'all' | 'open'
    lanes?: 'device' | 'policy' | undefined
    page?: number | undefined
  } => ({
    ...(search['shown'] === 'all' && { shown: 'all' }),
    ...choices(search, { lanes: ['device', 'policy'] }),
    ...listSearch({ page: search['page'] }),
  }),
})

const policies = createRoute({
  getParentRoute: () => signedIn,
  path: '/alarms/policies',
  component: lazyRouteComponent(() => import('../areas/alarms/policies-page.tsx'), 'PoliciesPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch(search),
    ...choices(search, { severity: ['info', 'warning', 'critical'] }),
  }),
})

const notifications = createRoute({
  getParentRoute: () => signedIn,
  path: '/alarms/notifications',
  component: lazyRouteComponent(() => import('../areas/alarms/notifications-page.tsx'), 'NotificationsPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch({ page: search['page'] }),
    ...choices(search, { tab: NOTIFICATION_TABS }),
  }),
})

export const alarmRoutes = [alarms, policies, notifications] as const
