/** The frame of the pages that need a session: navigation and the user. Without one the sign-in page follows. */
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Permission } from '../../../src/kernel/permissions.ts'
import { type Profile, ProfileProvider, signOut, useCan, useSession } from '../api/session.tsx'
import { leave } from '../forms/unsaved.ts'
import { UnsavedQuestion } from '../forms/unsaved-question.tsx'
import { useText } from '../kernel/text.tsx'
import { Button } from '../ui/controls.tsx'
import { Loaded } from '../ui/page.tsx'
import { APP_TEXTS } from './texts.ts'

export function Shell() {
  const session = useSession()
  const { pathname, href } = useLocation()
  // The location is that of the navigation under way: the sign-in page is not an address to return to.
  const isLeaving = pathname === '/sign-in'
  return (
    <Loaded query={session}>
      {(profile) =>
        isLeaving ? null : profile === null ? (
          <Navigate to="/sign-in" search={pathname === '/' ? {} : { next: href }} replace />
        ) : (
          <SignedIn profile={profile} />
        )
      }
    </Loaded>
  )
}

function SignedIn({ profile }: { readonly profile: Profile }) {
  const t = useText()
  return (
    <ProfileProvider value={profile}>
      <a className="skip-link" href={`${location.pathname}#content`}>
        {t(APP_TEXTS.APP_SKIP())}
      </a>
      <div className="shell">
        <Side tenantName={profile.tenant.name} />
        <main className="content" id="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <UnsavedQuestion />
    </ProfileProvider>
  )
}

/** The side of the page. In a narrow window it is a bar whose button opens the menu; Escape closes it. */
function Side({ tenantName }: { readonly tenantName: string }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const pathname = useLocation({ select: (location) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the page closes the menu
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    if (!isOpen) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOpen])
  return (
    <header className="side" data-open={isOpen || undefined}>
      <div className="side-head">
        <div>
          <div className="brand">Netsaat</div>
          <div className="tenant">{tenantName}</div>
        </div>
        <button
          ref={button}
          type="button"
          className="button menu-button"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">☰</span> {t(APP_TEXTS.APP_MENU())}
        </button>
      </div>
      <div className="menu" id="menu">
        <Navigation />
        <div className="side-end">
          <a href="docs">{t(APP_TEXTS.APP_API())}</a>
          <Button variant="quiet" onPress={() => leave(document, () => void signOut())}>
            {t(APP_TEXTS.APP_SIGN_OUT())}
          </Button>
        </div>
      </div>
    </header>
  )
}

const SECTIONS = [
  { to: '/overview', text: APP_TEXTS.APP_OVERVIEW, permission: undefined },
  { to: '/dashboards', text: APP_TEXTS.APP_DASHBOARDS, permission: 'read:widget' },
  { to: '/netting', text: APP_TEXTS.APP_NETTING, permission: 'read:netting' },
  { to: '/devices', text: APP_TEXTS.APP_DEVICES, permission: 'read:device' },
  { to: '/gateways', text: APP_TEXTS.APP_GATEWAYS, permission: 'read:gateway' },
  { to: '/charging', text: APP_TEXTS.APP_CHARGING, permission: 'read:charger' },
  { to: '/alarms', text: APP_TEXTS.APP_ALARMS, permission: 'read:alarm' },
  { to: '/updates', text: APP_TEXTS.APP_UPDATES, permission: 'read:ota' },
  { to: '/safety', text: APP_TEXTS.APP_SAFETY, permission: 'read:loto' },
  { to: '/tariffs', text: APP_TEXTS.APP_TARIFFS, permission: 'read:netting' },
  { to: '/readings', text: APP_TEXTS.APP_READINGS, permission: 'read:osos' },
  { to: '/registry', text: APP_TEXTS.APP_REGISTRY, permission: undefined },
  { to: '/administration', text: APP_TEXTS.APP_ADMINISTRATION, permission: undefined },
  { to: '/setup', text: APP_TEXTS.APP_SETUP, permission: 'manage:device' },
  { to: '/account', text: APP_TEXTS.APP_ACCOUNT, permission: undefined },
] as const satisfies readonly { to: string; permission: Permission | undefined; text: unknown }[]

function Navigation() {
  const t = useText()
  const can = useCan()
  return (
    <nav className="navigation" aria-label={t(APP_TEXTS.APP_NAVIGATION())}>
      <ul>
        {SECTIONS.filter(({ permission }) => permission === undefined || can(permission)).map(
          ({ to, text }) => (
            <li key={to}>
              <Link to={to} activeProps={{ 'aria-current': 'page' }}>
                {t(text())}
              </Link>
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}
