import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const CLIENT_ID = 'netsaat'
export const CLIENT_SECRET = 'a client secret of the tests, with : and % in it'

export interface TestProvider {
  readonly issuer: string
  /** Claims of the accounts by subject. */
  readonly accounts: Map<string, Readonly<Record<string, unknown>>>
  /** Signs in as the subject, or denies the sign-in, as the person at the provider would. */
  signInAs(subject: string | undefined): void
  /** Paths that were requested, in order. */
  readonly requests: string[]
  close(): Promise<void>
}

interface Session {
  readonly oidc: { readonly client: { readonly clientId: string }; readonly account: { accountId: string } }
}

/** A real OpenID provider (oidc-provider) on a free port of loopback, whose person answers at once. */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const accounts = new Map<string, Readonly<Record<string, unknown>>>()
  const requests: string[] = []
  let person: string | undefined
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    async loadExistingGrant({ oidc }: Session) {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.account.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['a key of the tests'] },
  })
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    requests.push(path)
    if (!path.startsWith('/interaction/')) return void answer(request, response)
    const result =
      person === undefined
        ? { error: 'access_denied', error_description: 'the person cancelled' }
        : { login: { accountId: person } }
    void provider.interactionFinished(request, response, result)
  })
  return {
    issuer,
    accounts,
    requests,
    signInAs: (subject) => {
      person = subject
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/**
 * Follows the redirects of the provider like a browser, with its cookies, until one leaves the provider; the
 * result is that address.
 */
export async function browse(issuer: string, authorizationUrl: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(authorizationUrl)
  for (let steps = 0; next.origin === issuer; steps += 1) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null || steps > 10) throw new Error(`${response.status} ${await response.text()}`)
    next = new URL(location, next)
  }
  return next
}
