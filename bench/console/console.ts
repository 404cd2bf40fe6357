import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { CHROMIUM_ARGS, chromiumPath } from '../../test/support/process/chromium.ts'
import { startService } from '../../test/support/process/service.ts'
import { currentConsole } from '../../tools/build.js'
import { sized } from '../support/effort.ts'
import { type BenchService, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { type ConsoleFixture, fillConsole, PASSWORD, YEAR } from './fixture.ts'
import { type Frames, recordFrames, summary, whenShown } from './frames.ts'

const SCRIPT_BYTES_MAX = 150_000
const INTERACTIVE_MS = 1_000
const FRAME_BUDGET_MS = 50
const OPENINGS = sized(5, 1)
const ZOOMS = sized(4, 2)
/** The frames of an idle page are the reference. */
const IDLE_MS = sized(2_000, 1_000)
const VALUES_PER_SECOND = 200
const SENDS_PER_SECOND = 10
const LIVE_MS = sized(10_000, 3_000)
const SCROLL_STEPS = sized(200, 80)
/** A notch of a wheel in each frame, which is 7,500 pixels a second; and a scroll bar that is dragged fast. */
const SCROLL_STEPS_PX = [120, 400] as const
const SCROLL_STEP_MS = 16
const VIEWPORT = { width: 1280, height: 900 }

interface Bed {
  readonly browser: Browser
  readonly url: string
  readonly service: BenchService
  readonly fixture: ConsoleFixture
  /** A browser that is signed in. */
  readonly context: BrowserContext
}

const ofLimit = (name: string, value: number, limit: number, show: (value: number) => string): Figure => ({
  name,
  measured: show(value),
  against: `limit ${show(limit)}`,
  ratio: value / limit,
  aim: '<= 1',
})
const ms = (value: number): string => `${Math.round(value)} ms`

/** The compressed scripts that the page names, as a browser without a cache loads them before anything is drawn. */
async function scriptSize({ url }: Bed): Promise<Figure> {
  const folder = await currentConsole()
  const html = await (await fetch(url)).text()
  const names = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name ?? '')
  const sizes = names.map(async (name) => gzipSync(await readFile(join(folder, 'assets', name))).length)
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  return ofLimit(
    'initial script, compressed',
    total,
    SCRIPT_BYTES_MAX,
    (bytes) => `${Math.round(bytes / 1000)} kB`,
  )
}

/** From the request of a page, without a cache, until what can be used is on the screen. */
async function openings(bed: Bed): Promise<Figure[]> {
  const storageState = await bed.context.storageState()
  const pages = [
    { name: 'sign-in page', path: '/sign-in', shown: 'input[type=password]', state: undefined },
    { name: 'overview with its power flow', path: '/overview', shown: '.balance', state: storageState },
  ]
  const figures: Figure[] = []
  for (const { name, path, shown, state } of pages) {
    const times: number[] = []
    for (let round = 0; round < OPENINGS; round += 1) {
      const context = await bed.browser.newContext({
        viewport: VIEWPORT,
        ...(state && { storageState: state }),
      })
      const page = await context.newPage()
      times.push(await whenShown(page, bed.url + path, shown))
      // A session has one refresh token at a time.
      if (state) Object.assign(state, await context.storageState())
      await context.close()
    }
    figures.push(ofLimit(`${name}, interactive`, median(times), INTERACTIVE_MS, ms))
  }
  return figures
}

/** A year of hours of a group, six quantities, zoomed by its buttons to a week and back. */
async function yearChart({ url, fixture, context }: Bed): Promise<Figure[]> {
  const page = await context.newPage()
  await page.goto(`${url}/netting/groups/${fixture.groupId}?from=${YEAR.from}&to=${YEAR.to}`)
  await page.locator('.chart canvas').waitFor()
  await page.waitForLoadState('networkidle')
  const total = await page.locator('.readout b').first().textContent()
  if (!/\d{2}/.test(total ?? '')) throw new Error(`the chart of the year shows ${total}`)
  const [zoomIn, zoomOut] = ['Zoom in', 'Zoom out'].map((name) => page.getByRole('button', { name }))
  const zoom = async () => {
    for (let step = 0; step < ZOOMS; step += 1) await zoomIn?.click()
    if (page.url().includes(encodeURIComponent(YEAR.from))) throw new Error('the chart was not zoomed')
    for (let step = 0; step < ZOOMS; step += 1) await zoomOut?.click()
  }
  await zoom()
  const idle = await recordFrames(page, () => sleep(IDLE_MS))
  const zoomed = await recordFrames(page, zoom)
  await page.close()
  return [
    ofLimit('a year of hours (8,760 x 6) zoomed, longest frame', zoomed.longest, FRAME_BUDGET_MS, ms),
    compare('the same, median frame (idle page)', zoomed, idle),
  ]
}

const compare = (name: string, measured: Frames, reference: Frames): Figure => ({
  name,
  measured: summary(measured),
  against: summary(reference),
  ratio: measured.median / reference.median,
  aim: '',
})

/** Dropped frames of a second more than the same page, or a bare one, has on this machine. */
const dropped = (name: string, measured: Frames, reference: Frames): Figure => ({
  ...compare(name, measured, reference),
  ratio: measured.droppedShare - reference.droppedShare,
  aim: '<= 0.01',
})

async function liveValues({ url, context, service, fixture }: Bed): Promise<Figure[]> {
  const page = await context.newPage()
  let received = 0
  page.on('websocket', (socket) => socket.on('framereceived', () => (received += 1)))
  await page.goto(`${url}/overview`)
  await page.getByText('live', { exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  const idle = await recordFrames(page, () => sleep(LIVE_MS))
  received = 0
  const loaded = await recordFrames(page, () => sendValues(url, service, fixture))
  const perSecond = received / (LIVE_MS / 1000)
  await page.close()
  return [
    {
      name: 'live values that the overview received',
      measured: `${Math.round(perSecond)}/s`,
      against: `${VALUES_PER_SECOND}/s sent`,
      ratio: perSecond / VALUES_PER_SECOND,
      aim: '>= 0.95',
    },
    dropped('200 live values/s, more dropped frames (same page without them)', loaded, idle),
  ]
}

async function sendValues(
  url: string,
  { tenant }: BenchService,
  { meterIds }: ConsoleFixture,
): Promise<void> {
  const each = VALUES_PER_SECOND / SENDS_PER_SECOND
  const begun = performance.now()
  for (let send = 0; send * (1000 / SENDS_PER_SECOND) < LIVE_MS; send += 1) {
    const timestamp = new Date().toISOString()
    const samples = Array.from({ length: each }, (_, index) => ({
      device_id: meterIds[(send * each + index) % meterIds.length],
      timestamp,
      values: { active_power: 5 + ((send * 31 + index * 17) % 100) / 10 },
    }))
    const response = await fetch(`${url}/api/measurements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.operator.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ samples }),
    })
    if (response.status !== 201) throw new Error(await response.text())
    await sleep(Math.max(0, begun + (send + 1) * (1000 / SENDS_PER_SECOND) - performance.now()))
  }
}

/** The wheel over the list of devices, and over a bare page of the same height. */
async function scrolling({ url, context }: Bed): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const px of SCROLL_STEPS_PX) {
    const page = await context.newPage()
    await page.setContent('<div style="height: 440000px; background: linear-gradient(red, blue)"></div>')
    const bare = await recordFrames(page, () => scroll(page, px))
    await page.goto(`${url}/devices`)
    await page.locator('[data-index="0"] a').waitFor()
    const list = await recordFrames(page, () => scroll(page, px))
    const position = await page.locator('.table-frame.virtual').evaluate((frame) => frame.scrollTop)
    await page.close()
    if (position < (SCROLL_STEPS * px) / 4) throw new Error(`the list was scrolled to ${position} px only`)
    const name = `10,000 devices scrolled by ${px} px in each frame`
    figures.push(dropped(`${name}, more dropped frames (bare page)`, list, bare))
    figures.push(ofLimit('the same, longest frame', list.longest, FRAME_BUDGET_MS, ms))
  }
  return figures
}

async function scroll(page: Page, px: number): Promise<void> {
  await page.mouse.move(600, 600)
  for (let step = 0; step < SCROLL_STEPS; step += 1) {
    await page.mouse.wheel(0, px)
    await sleep(SCROLL_STEP_MS)
  }
}

async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/`)
  await page.locator('input[autocomplete=username]').fill(email)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().waitFor()
}

async function measure(service: BenchService): Promise<Figure[]> {
  const fixture = await fillConsole(service)
  const fullService = await startService({
    env: {
      DATABASE_URL: service.databaseUrl,
      PORT: '0',
      SECRET_KEY: service.deps.config.secretKey,
      RATE_LIMIT_API_PER_SECOND: '0',
    },
  })
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: [...CHROMIUM_ARGS] })
  try {
    const { url } = fullService
    const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' })
    const page = await context.newPage()
    await signIn(page, url, fixture.email)
    await page.close()
    const bed: Bed = { browser, url, service, fixture, context }
    const figures = [await scriptSize(bed)]
    for (const part of [yearChart, liveValues, scrolling, openings]) figures.push(...(await part(bed)))
    return figures
  } finally {
    await browser.close()
    await fullService.stop()
  }
}

/**
 * The console in chromium without a screen and without a graphics processor, which draws in software: the service, the
 * browser and the sender share the machine. Frames are those that the page is asked to draw.
 */
export const consoleBench: Bench = {
  name: 'console',
  async run() {
    if (chromiumPath === undefined)
      return [
        { name: 'console (needs chromium)', measured: 'skipped', against: '', ratio: undefined, aim: '' },
      ]
    const service = await openService(Date.now())
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  },
}
