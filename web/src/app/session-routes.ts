/** The pages that need no session: signing in, and those that mails link to (`LINK_PAGES`). */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from './root-routes.ts'

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../areas/session/sign-in-page.tsx'), 'SignInPage'),
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {},
})

const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazyRouteComponent(
    () => import('../areas/session/password-reset-page.tsx'),
    'PasswordResetPage',
  ),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../areas/session/invitation-page.tsx'), 'InvitationPage'),
})

const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  component: lazyRouteComponent(() => import('../areas/session/signup-page.tsx'), 'SignupPage'),
})

const emailVerification = createRoute({
  getParentRoute: () => root,
  path: '/email-verification',
  component: lazyRouteComponent(
    () => import('../areas/session/email-verification-page.tsx'),
    'EmailVerificationPage',
  ),
})

export const sessionRoutes = [signIn, passwordReset, invitation, signup, emailVerification] as const
