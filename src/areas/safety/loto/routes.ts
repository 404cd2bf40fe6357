import type { App } from '../../../platform/http/app-type.ts'
import { mount } from '../../../platform/http/mount.ts'
import { lotoLockRoutes } from './locks/routes.ts'
import { lotoPointRoutes } from './points/routes.ts'
import { lotoSessionRoutes } from './sessions/routes.ts'
import { lotoTransitionRoutes } from './sessions/transition-routes.ts'

/** Lockout/tagout: points, sessions and the locks of people. */
export function lotoRoutes(app: App): void {
  mount(app, '/points', lotoPointRoutes)
  mount(app, '/sessions', lotoSessionRoutes)
  mount(app, '/sessions', lotoTransitionRoutes)
  mount(app, '/locks', lotoLockRoutes)
}
