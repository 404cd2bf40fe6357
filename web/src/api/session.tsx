import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import type { NetsaatClient } from '../../../clients/typescript/src/index.ts'
import type { Language } from '../../../src/kernel/messages.ts'
import type { Access } from '../kernel/access.ts'
import { BASE_URL } from '../kernel/base-url.ts'
import { useLanguage } from '../kernel/text.tsx'
import { endSession, forgetUnusedToken, hasSession, makeClient, onSessionEnd } from './client.ts'

interface ClientValue {
  readonly api: NetsaatClient
  readonly language: Language
}
const ClientContext = createContext<ClientValue | undefined>(undefined)

/** The client in the language of the reader. After a change of the language texts are read again; the session stays. */
export function ClientProvider({ children }: { readonly children: ReactNode }) {
  const { language } = useLanguage()
  const value = useMemo(() => ({ api: makeClient(language), language }), [language])
  return <ClientContext value={value}>{children}</ClientContext>
}

export function useClient(): ClientValue {
  const value = use(ClientContext)
  if (!value) throw new Error('ClientProvider is missing')
  return value
}

export type Profile = Awaited<ReturnType<typeof readProfile>>
async function readProfile({ api }: ClientValue) {
  const { data } = await api.get('/api/auth/me')
  forgetUnusedToken()
  return data
}

export const SESSION_KEY = ['session']

/** The user of this browser; null when nobody is signed in, undefined while it is read. */
export function useSession() {
  const client = useClient()
  const queries = useQueryClient()
  useEffect(() => onSessionEnd(() => queries.setQueryData(SESSION_KEY, null)), [queries])
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async () => ((await hasSession()) ? readProfile(client) : null),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const ProfileContext = createContext<Profile | undefined>(undefined)
export const ProfileProvider = ProfileContext

export function useProfile(): Profile {
  const profile = use(ProfileContext)
  if (!profile) throw new Error('the page needs a session')
  return profile
}

/** Whether the user may do something. Actions without the permission are not offered; superusers need it as well. */
export function useCan(): (access: Access) => boolean {
  const { permissions, is_superuser } = useProfile()
  return useMemo(() => {
    const granted = new Set<string>(permissions)
    return (access) => (access === 'superuser' ? is_superuser : granted.has(access))
  }, [permissions, is_superuser])
}

/** Other pages of this browser, which share the session. */
const otherPages = new BroadcastChannel('netsaat-session')
otherPages.addEventListener('message', () => location.reload())

/** Called after a sign-in: pages that show another user, or none, are loaded again. */
export const announceSession = (): void => otherPages.postMessage('changed')

/** Ends the session. The page is loaded again, so that nothing of the session stays in memory: tokens, data, forms. */
export async function signOut(): Promise<void> {
  await endSession()
  announceSession()
  location.assign(`${BASE_URL}/sign-in`)
}
