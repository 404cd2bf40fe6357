import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { currentConsole } from '../../../tools/build.js'
import { createAccount, systemRoles } from '../accounts.ts'
import { type ApiOptions, startApi, type TestApi } from '../api.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { type ConsoleBrowser, startBrowser } from './browser.ts'

/** The accounts of a test console: one for each system role, and a superuser who is also an admin. */
export type ConsoleUser = 'admin' | 'operator' | 'viewer' | 'superuser'

export interface TestConsole {
  readonly api: TestApi
  readonly tenant: TestTenant
  readonly browser: ConsoleBrowser
  /** The addresses of the users, who sign in with the password of the test accounts. */
  readonly emails: Readonly<Record<ConsoleUser, string>>
  /** The address of a page. */
  urlOf(path: string): string
  /** Opens a page as a user, runs the steps, and expects that the browser reported no error at their end. */
  visit(
    user: ConsoleUser,
    path: string,
    steps: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<void>
  close(): Promise<void>
}

/** A service with the built console at the present time, one tenant with users, and a browser. */
export async function startConsole(options: ApiOptions = {}): Promise<TestConsole> {
  const api = await startApi({
    consoleFolder: await currentConsole(),
    now: new Date().toISOString(),
    ...options,
  })
  const tenant = await createTenant(api)
  const { admin, operator, viewer } = await systemRoles(api, tenant)
  const addressOf = async (body: Record<string, unknown>) => (await createAccount(api, tenant, body)).email
  const emails = {
    admin: await addressOf({ role_ids: [admin] }),
    operator: await addressOf({ role_ids: [operator] }),
    viewer: await addressOf({ role_ids: [viewer] }),
    superuser: await addressOf({ role_ids: [admin], is_superuser: true }),
  }
  const browser = await startBrowser(api.url)
  const urlOf = (path: string) => `${api.url}/${path}`
  return {
    api,
    tenant,
    browser,
    emails,
    urlOf,
    async visit(user, path, steps, display) {
      const { page, errors, context } = await browser.open(emails[user], display)
      await page.goto(urlOf(path))
      await steps(page)
      expect(errors).toEqual([])
      await context.close()
    },
    async close() {
      await browser.close()
      await api.close()
    },
  }
}
