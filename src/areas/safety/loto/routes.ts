import type { App } from '../../../platform/http/app-type.ts'
import { mount } from '../../../platform/http/mount.ts'
import { lotoLockRoutes } from './lock-routes.ts'
import { lotoMoveRoutes } from './move-routes.ts'
import { lotoPointRoutes } from './point-routes.ts'
import { lotoSessionRoutes } from './session-routes.ts'

/** Lockout/tagout: points, sessions and the locks of people. */
export function lotoRoutes(app: App): void {
  mount(app, '/points', lotoPointRoutes)
  mount(app, '/sessions', lotoSessionRoutes)
  mount(app, '/sessions', lotoMoveRoutes)
  mount(app, '/locks', lotoLockRoutes)
}
