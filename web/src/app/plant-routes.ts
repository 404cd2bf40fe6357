import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from './root-routes.ts'
import { choices, listSearch } from './search.ts'

const updates = createRoute({
  getParentRoute: () => signedIn,
  path: '/updates',
  component: lazyRouteComponent(() => import('../areas/updates/updates-page.tsx'), 'UpdatesPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch({ page: search['page'] }),
    ...choices(search, { tab: ['batches', 'updates', 'firmware'] }),
  }),
})

const batch = createRoute({
  getParentRoute: () => signedIn,
  path: '/updates/batches/$batchId',
  component: lazyRouteComponent(() => import('../areas/updates/batch-page.tsx'), 'BatchPage'),
})

const board = createRoute({
  getParentRoute: () => signedIn,
  path: '/safety',
  component: lazyRouteComponent(() => import('../areas/safety/board-page.tsx'), 'BoardPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch({ page: search['page'] }),
    ...choices(search, { state: ['pending', 'approved', 'rejected', 'applied', 'released'] }),
  }),
})

const session = createRoute({
  getParentRoute: () => signedIn,
  path: '/safety/sessions/$sessionId',
  component: lazyRouteComponent(() => import('../areas/safety/session-page.tsx'), 'SafetySessionPage'),
})

/** Updates of the devices, and lockout/tagout. */
export const plantRoutes = [updates, batch, board, session] as const
