import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESKTOP, PHONE, signInTo } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { checkPage, type PageReport, settle } from '../../support/console/page-checks.ts'
import { type ConsoleRecords, makeConsoleRecords } from '../../support/console/records.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

const LANGUAGES = ['en', 'tr'] as const
type Language = (typeof LANGUAGES)[number]

/** Pages without a session; those of mails with and without the token of a link. */
const WITHOUT_SESSION = ['/sign-in', '/password-reset', '/invitation', '/signup', '/email-verification']
/** Routes that show no page of their own. */
const WITHOUT_PAGE = ['/', '/netting/groups/$groupId/']

/** Queries that show more of a page than its plain address, by route. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/password-reset': ['', '?token=x'],
  '/invitation': ['', '?token=x'],
  '/signup': ['', '?token=x'],
  '/email-verification': ['', '?token=x'],
  '/netting': ['?month=2026-05'],
  '/netting/groups/$groupId': ['?month=2026-05&hour=2026-04-30T21:00:00.000Z'],
  '/netting/groups/$groupId/amounts': ['?month=2026-03&type=producer_payment_for_bedelli_surplus'],
  '/netting/groups/$groupId/ledger': ['?month=2026-05'],
  '/netting/groups/$groupId/rules': ['?month=2026-05'],
  '/netting/groups/$groupId/members': ['?month=2026-05'],
  '/netting/groups/$groupId/runs': ['?month=2026-03'],
  '/netting/groups/$groupId/reconcile': ['?month=2026-03'],
  '/netting/scenarios/new': ['?copy=$scenarioId'],
  '/netting/scenarios/comparison': ['?ids=$scenarioId,$otherScenarioId'],
  '/devices/$deviceId': ['?range=week'],
  '/alarms': ['?shown=all'],
  '/setup': ['site', 'meter', 'values', 'facility', 'group', 'calculation', 'history'].map(
    (step) => `?step=${step}`,
  ),
}

/** The record of a parameter whose name is not that of its id. */
const RECORDS: Readonly<Record<string, string>> = {
  '/charging/sessions/$sessionId': 'chargingSession',
  '/safety/sessions/$sessionId': 'lotoSession',
}

/** Texts that are the same in both languages: figures, identifiers, product names, and names of records. */
const SAME_TEXTS: readonly RegExp[] = [
  /^[\W\d]*$/,
  /^[\da-f-]{18,}$/,
  /^[a-z]+[_:][a-z_:]+$/,
  /^(group|facility|meter|subregion|tenant|sizing) [\da-f]{8,12}( ×)?$/,
  /^(CSV|XLSX|PDF|kWh|MQTT|Modbus|Modbus TCP|Modbus RTU|OCPP|Zigbee|Home Assistant|English|Türkçe|Model|heartbeat)$/,
  /^(admin|operator|viewer|billing|Ana şalter|Vana 3|Pres hattı|Rulman değişimi|Parking 1|East roof|West roof|CARD-1)$/,
  /^(Main meter of the press|Wh|MWh)$/,
]

describe.runIf(chromiumPath)('every page of the console (needs chromium)', () => {
  let web: TestConsole
  let records: ConsoleRecords

  beforeAll(async () => {
    web = await startConsole({
      mqtt: true,
      config: {
        roles: ['api', 'realtime', 'ocpp'],
        dataDir: await makeDataFolder('console-pages'),
        tenantSignupEnabled: true,
        credentialEncryptionKey: randomBytes(32).toString('base64'),
        marketopEnabled: true,
      },
    })
    records = await makeConsoleRecords(web)
  })
  afterAll(async () => {
    await records.close()
    await web.close()
  })

  /** The addresses of a route with the ids of records; a route whose parameter has no record is a fault. */
  function addressesOf(route: string): string[] {
    const addresses = (QUERIES[route] ?? ['']).map((query) => `${route.slice(1)}${query}`)
    return addresses.map((address) =>
      address.replaceAll(/\$(\w+)/g, (_text, name: string) => {
        const id = records.ids[RECORDS[route] ?? name]
        if (id === undefined) throw new Error(`the page ${route} has no record in support/console/records.ts`)
        return id
      }),
    )
  }

  /**
   * Every page in a language, each loaded once, with its report. The English pages are those of a desktop in light
   * colours, the Turkish ones those of a phone in dark colours, so that all rules and the keys are checked of both
   * layouts (the menu and the tables differ) and of pages that are loaded in either colours. The rules about colours
   * and the narrow widths are checked of every page in both. All rules twice would take 1.2 to 2.3 times as long for
   * axe and find nothing else: the colours change no element, name or role.
   */
  async function checkLanguage(language: Language) {
    const colorScheme = language === 'en' ? 'light' : 'dark'
    const { page, context, errors } = await web.browser.openPage({
      ...(language === 'en' ? DESKTOP : PHONE),
      colorScheme,
    })
    const reports = new Map<string, PageReport>()
    const visit = async (path: string) => {
      await page.goto(web.urlOf(path))
      await settle(page)
      const { faults, texts } = await checkPage(page, { language, colorScheme })
      reports.set(path, { texts, faults: [...faults, ...errors.splice(0).map((error) => `error: ${error}`)] })
    }
    await page.goto(web.urlOf('sign-in'))
    const routes = await page.evaluate<string[]>('Object.keys(window.__TSR_ROUTER__.routesByPath)')
    for (const route of WITHOUT_SESSION) for (const path of addressesOf(route)) await visit(path)
    await signInTo(page, web.api.url, web.emails.superuser)
    const others = routes.filter((route) => ![...WITHOUT_SESSION, ...WITHOUT_PAGE].includes(route))
    for (const route of others) for (const path of addressesOf(route)) await visit(path)
    await visit('netting/none')
    await context.close()
    return { routes, reports }
  }

  // More than a hundred pages and tabs, each with all checks.
  it('fits every width, is accessible, works by keyboard, and is translated', {
    timeout: 900_000,
  }, async () => {
    const [english, turkish] = await Promise.all(LANGUAGES.map(checkLanguage))
    expect(english?.routes.length).toBeGreaterThan(30)
    const faults: string[] = []
    for (const [path, { faults: found, texts }] of english?.reports ?? []) {
      const other = turkish?.reports.get(path)
      const translated = texts.filter((text) => !records.names.includes(text))
      faults.push(...found.map((fault) => `${path} (en): ${fault}`))
      faults.push(...(other?.faults ?? ['not visited']).map((fault) => `${path} (tr): ${fault}`))
      faults.push(
        ...untranslated(translated, other?.texts ?? []).map((text) => `${path}: "${text}" in both languages`),
      )
    }
    expect(faults).toEqual([])
  })
})

/** Texts of a page that are the same in both languages. */
function untranslated(english: readonly string[], turkish: readonly string[]): string[] {
  const others = new Set(turkish)
  return [...new Set(english)].filter(
    (text) => others.has(text) && !SAME_TEXTS.some((same) => same.test(text)),
  )
}
