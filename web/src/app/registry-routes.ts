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

const templates = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates',
  component: lazyRouteComponent(() => import('../areas/templates/templates-page.tsx'), 'TemplatesPage'),
})

const template = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/$templateId',
  component: lazyRouteComponent(() => import('../areas/templates/template-page.tsx'), 'TemplatePage'),
})

const readings = createRoute({
  getParentRoute: () => signedIn,
  path: '/readings',
  component: lazyRouteComponent(() => import('../areas/readings/readings-page.tsx'), 'ReadingsPage'),
})

/** Master data with their forms, and official readings. */
export const registryRoutes = [registry, templates, template, readings] as const
