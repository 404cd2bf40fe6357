import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { REGISTRY_TABS } from '../areas/registry/tabs.ts'
import { signedIn } from './root-routes.ts'
import { choices } from './search.ts'

const registry = createRoute({
  getParentRoute: () => signedIn,
  path: '/registry',
  component: lazyRouteComponent(() => import('../areas/registry/registry-page.tsx'), 'RegistryPage'),
  validateSearch: (search: Record<string, unknown>) => choices(search, { tab: REGISTRY_TABS }),
})

/** Master data with their forms. */
export const registryRoutes = [registry] as const
