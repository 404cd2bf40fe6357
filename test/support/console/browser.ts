import axe from 'axe-core'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PASSWORD } from '../accounts.ts'
import { CHROMIUM_ARGS, chromiumPath } from '../process/chromium.ts'

const DESKTOP = { viewport: { width: 1280, height: 900 }, locale: 'en-GB' } as const
/** The width of a small phone; also that of a page of 720 px at 200 % zoom. */
const PHONE = { viewport: { width: 360, height: 740 }, locale: 'tr-TR' } as const

/** The two ends of what pages are shown in: languages, colours and widths. */
export const DISPLAYS = [
  { ...DESKTOP, colorScheme: 'dark' },
  { ...PHONE, colorScheme: 'light' },
] as const

export interface ConsolePage {
  readonly page: Page
  readonly context: BrowserContext
  /** Exceptions, and messages of the browser such as violated policies. */
  readonly errors: readonly string[]
}

export interface ConsoleBrowser {
  /** A page after signing in. */
  open(email: string, options?: BrowserContextOptions): Promise<ConsolePage>
  close(): Promise<void>
}

/** A browser for the console at an address. */
export async function startBrowser(url: string): Promise<ConsoleBrowser> {
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...CHROMIUM_ARGS] })
  return {
    async open(email, options = DESKTOP) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const errors: string[] = []
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(`${url}/`)
      await page.locator('input[autocomplete=username]').fill(email)
      await page.locator('input[type=password]').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation').waitFor()
      return { page, errors, context }
    },
    close: () => browser.close(),
  }
}

/** What is wrong with a page: serious accessibility faults, and that it is wider than the window. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const { violations } = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`)
  const faults = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  const available = page.viewportSize()?.width ?? 0
  const folder = process.env['CONSOLE_SCREENSHOTS']
  if (folder !== undefined) await saveScreenshot(page, folder)
  return width > available ? [...faults, `width ${width} of ${available}`] : faults
}

async function saveScreenshot(page: Page, folder: string): Promise<void> {
  const address = new URL(page.url())
  const name = `${address.pathname}${address.search}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
  const size = page.viewportSize()?.width ?? 0
  await page.screenshot({
    path: `${folder}/${name.replaceAll(/\W+/g, '_')}-${size}.png`,
    fullPage: true,
  })
}
