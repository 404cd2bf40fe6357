import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PASSWORD } from './accounts.ts'

export const DESKTOP = { viewport: { width: 1280, height: 900 } }
/** The width of a small phone; also that of a page of 720 px at 200 % zoom. */
export const PHONE = { viewport: { width: 360, height: 740 } }

/** A page whose errors are collected: exceptions, and messages of the browser such as violated policies. */
export async function openPage(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  return { page, errors, context }
}

/** Signs in with the address and the password of the test accounts. */
export async function signInTo(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/`)
  await page.locator('input[autocomplete=username]').fill(email)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').waitFor()
}

/** The serious faults of accessibility of a page. */
export async function violationsOf(page: Page): Promise<string[]> {
  const result = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`)
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
