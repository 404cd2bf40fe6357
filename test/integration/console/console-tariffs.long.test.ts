import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { periodOf } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { enterDate } from '../../support/console/date-fields.ts'
import { chromiumPath } from '../../support/process/chromium.ts'
import type { TestTenant } from '../../support/tenants.ts'

const SETS = '/api/v1/admin/regulated-tariffs/price-sets'
const HEADERS = 'valid_from,billing_period,abone_grubu,price_purpose,price,time_segment'

describe.runIf(chromiumPath)('tariffs in the console (needs chromium)', () => {
  let web: TestConsole
  let api: TestApi
  let tenant: TestTenant
  let earlierSet: string

  beforeAll(async () => {
    web = await startConsole()
    ;({ api, tenant } = web)
    const token = tenant.superuser.token
    const created = await api.call('POST', SETS, {
      token,
      body: { billing_period: '2031-04', name: 'April' },
    })
    earlierSet = created.body.id
    const file = `${HEADERS}\n2031-04-01,2031-04-01,sanayi,distribution,1.25,tek\n`
    const body = new FormData()
    body.append('file', new Blob([file], { type: 'text/csv' }), 'april.csv')
    const imported = await api.call('POST', `${SETS}/${earlierSet}/import-csv`, { token, body })
    expect(imported.body).toMatchObject({ imported: 1 })
    await api.call('POST', `${SETS}/${earlierSet}/approve`, { token })
  })
  afterAll(async () => {
    await web.close()
  })

  it('imports a file whose errors are corrected at their cells, and approves the set', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.superuser)
    await page.goto(`${api.url}/tariffs`)
    await page.getByRole('button', { name: 'Create a price set' }).click()
    await enterDate(page, 'Month', '2031-05')
    await page.getByLabel('Name', { exact: true }).fill('May')
    await page.getByRole('button', { name: 'Create a price set' }).press('Enter')
    const rows = [
      '2031-05-01,2031-05-01,sanayi,distribution,1.5,tek',
      '2031-05-01,2031-05-01,mesken,distribution,1.x,tek',
      '2031-05-01,2031-06-01,mesken,distribution,2,gece',
    ]
    await page.getByLabel('CSV file or XLSX workbook').setInputFiles({
      name: 'may.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([HEADERS, ...rows].join('\n')),
    })
    await page.getByRole('button', { name: 'Import a file' }).click()
    await page.getByText('Nothing was imported: 2 errors.').waitFor()
    const price = page.getByLabel('price, row 3', { exact: true })
    expect(await price.getAttribute('aria-invalid')).toBe('true')
    const described = `#${(await price.getAttribute('aria-describedby'))?.replaceAll(/[^\w-]/g, '\\$&')}`
    expect(await page.locator(described).textContent()).toContain('must be a number above 0')
    await price.fill('1.75')
    await page.getByLabel('billing_period, row 4', { exact: true }).fill('2031-05-01')
    await page.getByRole('button', { name: 'Import the corrected rows' }).press('Enter')
    await page.getByText('3 prices imported.').waitFor()
    const differences = page.getByRole('region', { name: 'Differences' })
    await differences.getByText('changed').waitFor()
    await differences.getByText('1.500000').waitFor()
    expect(await differences.getByText('added').count()).toBe(2)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('approved', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Import a file' }).count()).toBe(0)
    // The browser reports a refused request, here that of the file with errors.
    expect(errors.filter((text) => !text.includes('422'))).toEqual([])
    await context.close()
  })

  it('adds a price to a draft, renames the draft and deletes it', async () => {
    const { token } = tenant.superuser
    const draft = await api.call('POST', SETS, { token, body: { billing_period: '2031-07', name: 'July' } })
    await web.visit('superuser', `tariffs/sets/${draft.body.id}`, async (page) => {
      const dialog = page.getByRole('dialog')
      const submit = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
      await page.getByRole('button', { name: 'Add a price' }).click()
      await enterDate(dialog, 'Valid from', '2031-07-01')
      await enterDate(dialog, 'Month', '2031-07')
      await dialog.getByLabel('Subscriber group').selectOption('sanayi')
      await dialog.getByLabel('Purpose').selectOption('distribution')
      await dialog.getByLabel('Price', { exact: true }).fill('1.2345')
      await submit('Create')
      const prices = page.getByRole('region', { name: 'Prices' })
      await prices.getByRole('row', { name: /distribution network.*industry.*1\.234500/ }).waitFor()
      await page.getByRole('button', { name: 'Edit July' }).click()
      await dialog.getByLabel('Name').fill('July, second try')
      await submit('Save')
      await page.getByRole('button', { name: 'Edit July, second try' }).waitFor()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('tab', { name: 'Price sets' }).waitFor()
    })
    const { body } = await api.call('GET', SETS, { token })
    expect(body.map(({ name }: { name: string }) => name)).not.toContain('July, second try')
  })

  it('shows market prices only to a user who is no superuser', async () => {
    const { page, errors, context } = await web.browser.open(web.emails.viewer)
    await page.goto(`${api.url}/tariffs?tab=sets`)
    await page.getByText('No market price in this range').waitFor()
    await page.getByText('This service does not read market prices').waitFor()
    expect(await page.getByRole('tab', { name: 'Price sets' }).count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows market prices by hour when the service reads them', async () => {
    const month = periodOf(api.clock.now()).slice(0, 7)
    await api.deps.database.pool.query(
      `insert into market_price (ts, market, price_try_per_mwh, price_status, fetched_at)
       values ($1, 'ptf', 2000.25, 'tentative', now()), ($1, 'ptf', 2350.75, 'final', now())`,
      [`${month}-01T01:00:00+03:00`],
    )
    Object.assign(api.deps.config, { marketopEnabled: true })
    const { page, errors, context } = await web.browser.open(web.emails.viewer)
    await page.goto(`${api.url}/tariffs`)
    await page.getByRole('cell', { name: '2,350.75' }).waitFor()
    expect(await page.getByRole('cell', { name: '2,000.25' }).count()).toBe(0)
    expect(await page.getByText('does not read market prices').count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })
})
