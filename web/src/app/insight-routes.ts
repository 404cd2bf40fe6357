import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { WIDGET_PERIODS } from '../../../src/kernel/widget-periods.ts'
import { signedIn } from './root-routes.ts'
import { choices, idSearch, listSearch, type Search } from './search.ts'

const dashboards = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboards',
  component: lazyRouteComponent(() => import('../areas/insight/dashboards-page.tsx'), 'DashboardsPage'),
  validateSearch: (search: Search) => listSearch(search),
})

const widgetSearch = (search: Search): { widget?: string | undefined } =>
  search['widget'] === 'new' ? { widget: 'new' } : idSearch(search, 'widget')

/** `widget` is the one that is changed, or `new`. */
const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboards/$subregionId',
  component: lazyRouteComponent(() => import('../areas/insight/dashboard-page.tsx'), 'DashboardPage'),
  validateSearch: (search: Search) => ({
    ...widgetSearch(search),
    ...choices(search, { range: WIDGET_PERIODS, arrange: ['yes'] }),
  }),
})

export const insightRoutes = [dashboards, dashboard] as const
