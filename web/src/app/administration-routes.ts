import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { daySearch } from '../kernel/day-range.ts'
import { signedIn } from './root-routes.ts'
import { choices, listSearch } from './search.ts'

const administration = createRoute({
  getParentRoute: () => signedIn,
  path: '/administration',
  component: lazyRouteComponent(() => import('../areas/admin/administration-page.tsx'), 'AdministrationPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch(search),
    ...daySearch(search),
    ...choices(search, {
      tab: [
        'users',
        'roles',
        'api-keys',
        'machine-keys',
        'settings',
        'changes',
        'tenants',
        'market-accounts',
      ],
      action: ['create', 'update', 'delete'],
      actor: ['user', 'anonymous', 'job', 'command', 'service'],
    }),
  }),
})

export const administrationRoutes = [administration] as const
