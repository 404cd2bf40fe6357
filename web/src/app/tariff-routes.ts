import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { daySearch } from '../kernel/day-range.ts'
import { signedIn } from './root-routes.ts'
import { choices, listSearch } from './search.ts'

const tariffs = createRoute({
  getParentRoute: () => signedIn,
  path: '/tariffs',
  component: lazyRouteComponent(() => import('../areas/tariffs/tariffs-page.tsx'), 'TariffsPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch({ page: search['page'] }),
    ...daySearch(search),
    ...choices(search, {
      tab: ['sets', 'market'],
      state: ['draft', 'approved', 'archived'],
      market: ['ptf', 'smf'],
    }),
  }),
})

const priceSet = createRoute({
  getParentRoute: () => signedIn,
  path: '/tariffs/sets/$setId',
  component: lazyRouteComponent(() => import('../areas/tariffs/price-set-page.tsx'), 'PriceSetPage'),
})

export const tariffRoutes = [tariffs, priceSet] as const
