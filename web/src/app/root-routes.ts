/** The routes that contain the others. */
import { createRootRoute, createRoute } from '@tanstack/react-router'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

export const root = createRootRoute({ notFoundComponent: NotFound })

/** The pages that need a session. */
export const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Shell })
