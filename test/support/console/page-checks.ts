/** What is checked of a page in one language: faults as texts, so that a test shows all of them at once. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { saveScreenshot } from './browser.ts'

/** The widths that a page has to fit: 200 % zoom of 1280 px, and a small phone. */
const NARROW = [640, 360] as const

type ColorScheme = 'light' | 'dark'

/** What a page was opened with. */
export interface PageDisplay {
  readonly language: string
  readonly colorScheme: ColorScheme
}

export interface PageReport {
  readonly faults: readonly string[]
  /** Headings, labels and names of controls, in the order of the page. */
  readonly texts: readonly string[]
}

/** Waits for the content of a page that was opened. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page
    .getByText(/^(Loading|Yükleniyor)…$/)
    .first()
    .waitFor({ state: 'detached' })
}

/** Checks the page as it is shown, then its tabs, which are selected one after the other. */
export async function checkPage(page: Page, display: PageDisplay): Promise<PageReport> {
  const { faults, texts } = await checkView(page, display)
  const count = await page.getByRole('tab').count()
  for (let index = 1; index < count; index += 1) {
    const tab = page.getByRole('tab').nth(index)
    const name = (await tab.textContent()) ?? ''
    await tab.click()
    await settle(page)
    const view = await checkView(page, display)
    faults.push(...view.faults.map((fault) => `tab ${name}: ${fault}`))
    texts.push(...view.texts)
  }
  return { faults, texts }
}

async function checkView(page: Page, { language, colorScheme }: PageDisplay) {
  const { title, lang, texts } = await page.evaluate<{ title: string; lang: string; texts: string[] }>(READ)
  const faults = [
    ...(/^.+ · Netsaat$/.test(title) ? [] : [`title "${title}"`]),
    ...(lang === language ? [] : [`lang "${lang}"`]),
    ...(await axeFaults(page)),
    ...(await otherColorFaults(page, colorScheme)),
    ...(await widthFaults(page, colorScheme)),
    ...(await keyboardFaults(page)),
  ]
  return { faults, texts }
}

const READ = `({
  title: document.title,
  lang: document.documentElement.lang,
  texts: [...document.querySelectorAll(
    'h1, h2, h3, label, th[scope=col], button, [role=tab], a.button, legend, caption, summary, dt, option, .description, nav a'
  )].map((element) => element.innerText?.trim() || element.textContent.trim()),
})`

async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** The enabled rules of axe whose results depend on colours (its tag cat.color). */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * The document is the same in the other colours, so that only the rules about colours are repeated. Charts are drawn
 * again; their errors are those of the page.
 */
async function otherColorFaults(page: Page, colorScheme: ColorScheme): Promise<string[]> {
  const other = colorScheme === 'light' ? 'dark' : 'light'
  await page.emulateMedia({ colorScheme: other })
  await saveScreenshot(page, other)
  const faults = await axeFaults(page, COLOR_RULES)
  await page.emulateMedia({ colorScheme })
  return faults.map((fault) => `${other}: ${fault}`)
}

async function widthFaults(page: Page, colorScheme: ColorScheme): Promise<string[]> {
  const faults: string[] = []
  const size = page.viewportSize()
  await saveScreenshot(page, colorScheme)
  for (const width of NARROW) {
    await page.setViewportSize({ width, height: 740 })
    const used = await page.evaluate<number>(
      'new Promise((done) => requestAnimationFrame(() => done(document.documentElement.scrollWidth)))',
    )
    if (used > width) faults.push(`${used} px wide at ${width} px`)
  }
  await saveScreenshot(page, colorScheme)
  if (size) await page.setViewportSize(size)
  return faults
}

/**
 * Tab reaches every control and shows where it is. Controls that move by arrow keys (tabs, radio buttons, the cells of
 * a heat map) have one stop, by their own tabindex; the parts of a date are stops of their own.
 */
async function keyboardFaults(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(WATCH_FOCUS)
  for (let press = 0; press < count; press += 1) await page.keyboard.press('Tab')
  return page.evaluate<string[]>('window.focusFaults()')
}

const WATCH_FOCUS = `(() => {
  document.activeElement?.blur()
  window.getSelection()?.removeAllRanges()
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex]'
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const controls = [...document.querySelectorAll(selector)].filter((element) =>
    element.tabIndex >= 0 && !element.disabled && isVisible(element) && !element.closest('[inert]') &&
    (element.type !== 'radio' || element.checked))
  const reached = new Set()
  const hidden = []
  const describe = (element) => element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent.trim()).slice(0, 40)
  const note = ({ target }) => {
    const style = getComputedStyle(target)
    if (target.matches(':focus-visible') && style.outlineStyle === 'none' && style.boxShadow === 'none') hidden.push(describe(target))
    reached.add(target)
  }
  document.addEventListener('focusin', note)
  window.focusFaults = () => {
    document.removeEventListener('focusin', note)
    const missed = controls.filter((element) => element.isConnected && !reached.has(element))
    return [
      ...missed.map((element) => 'not reached by Tab: ' + describe(element)),
      ...hidden.map((text) => 'focus not visible: ' + text),
    ]
  }
  return controls.length + 1
})()`
