import axe from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { PASSWORD } from '../accounts.ts'
import { CHROMIUM_ARGS, chromiumPath } from '../process/chromium.ts'

export const DESKTOP = { viewport: { width: 1280, height: 900 }, locale: 'en-GB' } as const
/** The width of a small phone; also that of a page of 720 px at 200 % zoom. */
export const PHONE = { viewport: { width: 360, height: 740 }, locale: 'tr-TR' } as const

/** The two ends of what pages are shown in: languages, colours and widths. */
export const DISPLAYS = [
  { ...DESKTOP, colorScheme: 'dark' },
  { ...PHONE, colorScheme: 'light' },
] as const

export interface ConsolePage {
  readonly page: Page
  readonly context: BrowserContext
  /** Exceptions, and messages of the browser such as violated policies and failed requests. */
  readonly errors: string[]
}

export interface ConsoleBrowser {
  /** A page without a session. */
  openPage(options?: BrowserContextOptions): Promise<ConsolePage>
  /** A page after signing in with the password of the test accounts. */
  open(email: string, options?: BrowserContextOptions): Promise<ConsolePage>
  close(): Promise<void>
}

/** A browser for the console at an address. */
export async function startBrowser(url: string): Promise<ConsoleBrowser> {
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...CHROMIUM_ARGS] })
  return {
    openPage: (options = DESKTOP) => openPage(browser, options),
    async open(email, options = DESKTOP) {
      const opened = await openPage(browser, options)
      await signInTo(opened.page, url, email)
      return opened
    },
    close: () => browser.close(),
  }
}

async function openPage(browser: Browser, options: BrowserContextOptions): Promise<ConsolePage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  return { page, context, errors: collectErrors(page) }
}

/** The errors of a page from now on, with the addresses that they name. */
function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`.trim())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

/** Signs in with the address and the password of the test accounts. */
export async function signInTo(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/`)
  await enterPassword(page, email)
  await page.locator('#content').waitFor()
}

/** Sends the form of the sign-in page. */
export async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
}

/** The serious faults of accessibility of a page. */
export async function violationsOf(page: Page): Promise<string[]> {
  const result = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`)
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** What is wrong with a page: serious accessibility faults, and that it is wider than the window. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const faults = await violationsOf(page)
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  const available = page.viewportSize()?.width ?? 0
  await saveScreenshot(page)
  return width > available ? [...faults, `width ${width} of ${available}`] : faults
}

/** Stores a picture of the page in the folder CONSOLE_SCREENSHOTS, if it is set, to be looked at. */
export async function saveScreenshot(page: Page, colors = ''): Promise<void> {
  const folder = process.env['CONSOLE_SCREENSHOTS']
  if (folder === undefined) return
  const address = new URL(page.url())
  const name = `${address.pathname}${address.search}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
  const parts = [name.replaceAll(/\W+/g, '_'), page.viewportSize()?.width, colors].filter(
    (part) => part !== '',
  )
  await page.screenshot({ path: `${folder}/${parts.join('-')}.png`, fullPage: true })
}
