import { readFile } from 'node:fs/promises'
import type { Download } from 'playwright-core'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { enterDate } from '../../support/console/date-fields.ts'
import { exportTable } from '../../support/console/export-table.ts'
import { createDevice, postSamples, sample } from '../../support/metering/measurements.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

const linesOf = async (file: Download): Promise<string[]> =>
  (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n')

describe.runIf(chromiumPath)('measurements as files (needs chromium)', () => {
  let web: TestConsole
  beforeAll(async () => {
    web = await startConsole({ now: '2026-11-20T09:30:00Z' })
    const { api, tenant } = web
    const device = await createDevice(api, tenant)
    await api.deps.database.pool.query(`update device set name = 'Pres' where id = $1`, [device.id])
    const samples = [0, 15, 30].map((minute) =>
      sample(device, Date.parse('2026-11-20T07:00:00Z') + minute * 60_000, {
        import_active_energy: 10 + minute,
      }),
    )
    await postSamples(api, tenant, samples)
  })
  afterAll(() => web.close())

  it('are ordered in a form, created in the background, downloaded and deleted', () =>
    web.visit('admin', 'devices', async (page) => {
      await page.getByRole('link', { name: 'Measurement files' }).click()
      await page.getByRole('button', { name: 'New measurement file' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Devices').fill('Pres')
      await dialog.getByRole('button', { name: 'Remove Pres' }).waitFor()
      await enterDate(dialog, 'From', '2026-11-20T09:00')
      await dialog.getByLabel('File name').fill('Pres ölçümleri')
      await dialog.getByRole('button', { name: 'Create' }).click()
      const button = page.getByRole('button', { name: 'Download: Pres ölçümleri.csv' })
      await button.waitFor()
      const download = page.waitForEvent('download')
      await button.click()
      const [, first, ...others] = await linesOf(await download)
      expect(first).toMatch(/^Pres,.*,2026-11-20T10:00:00\+03:00,10$/)
      expect(others).toHaveLength(2)
      await page.getByRole('button', { name: /Delete/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No record found').waitFor()
    }))

  it('are offered to readers without the form', () =>
    web.visit('viewer', 'exports', async (page) => {
      await page.getByRole('button', { name: 'Export: Measurement files' }).waitFor()
      expect(await page.getByRole('button', { name: 'New measurement file' }).count()).toBe(0)
    }))
})

describe.runIf(chromiumPath)('tables of the console as files (needs chromium)', () => {
  let web: TestConsole

  beforeAll(async () => {
    web = await startConsole()
    const { api, tenant } = web
    const rows = Array.from({ length: 230 }, (_item, index) => ({
      tenant_id: tenant.id,
      name: `meter ${String(index).padStart(3, '0')}`,
      device_type: 'energy_analyzer',
      device_source: index < 210 ? ('manual' as const) : ('modbus' as const),
    }))
    await api.deps.database.kysely.insertInto('device').values(rows).execute()
    const regions = ['Marmara', 'Ege', 'İç Anadolu'].map((name) => ({ tenant_id: tenant.id, name }))
    await api.deps.database.kysely.insertInto('region').values(regions).execute()
  })
  afterAll(() => web.close())

  it('have all rows of the list, with its filters and its order', () =>
    web.visit('viewer', 'devices?source=manual&sort=name', async (page) => {
      const file = await exportTable(page, 'Devices', 'XLSX')
      expect(file.suggestedFilename()).toMatch(/^netsaat-devices-.*\.xlsx$/)
      const [head = [], ...rows] = await readSheet(await readFile(await file.path()))
      expect(head.slice(0, 2)).toEqual(['Name', 'Type of device'])
      const names = rows.map(([name]) => name)
      expect(names).toHaveLength(210)
      expect(names).toEqual(names.toSorted())
    }))

  it('are downloaded by keyboard, and the menu closes with Escape', () =>
    web.visit('viewer', 'registry?tab=regions', async (page) => {
      const button = page.getByRole('button', { name: 'Export: Regions' })
      await button.focus()
      await page.keyboard.press('Enter')
      expect(await button.getAttribute('aria-expanded')).toBe('true')
      const download = page.waitForEvent('download')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const lines = await linesOf(await download)
      expect(lines[0]).toBe('Name,Code,Description,Created,Id')
      expect(lines).toHaveLength(4)
      await page.locator('button:focus', { hasText: 'CSV' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('button:focus', { hasText: 'Export' }).waitFor()
      expect(await button.getAttribute('aria-expanded')).toBe('false')
    }))

  it('are Turkish for a Turkish reader, as a PDF too', () =>
    web.visit(
      'admin',
      'administration?tab=users',
      async (page) => {
        const lines = await linesOf(await exportTable(page, 'Kullanıcılar', 'CSV'))
        expect(lines[0]).toMatch(/^Ad soyad;E-posta;Roller;/)
        expect(lines.some((line) => line.includes(web.emails.viewer))).toBe(true)
        const pdf = await exportTable(page, 'Kullanıcılar', 'PDF')
        expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-')
      },
      { locale: 'tr-TR' },
    ))

  it('show why there is no file', async () => {
    const { api, tenant } = web
    const set = (exports_per_day: number | null) =>
      api.call('PUT', `/api/v1/admin/tenants/${tenant.uid}/quotas`, {
        token: tenant.superuser.token,
        body: { exports_per_day },
      })
    expect((await set(0)).status).toBe(200)
    const { page, context } = await web.browser.open(web.emails.viewer)
    await page.goto(web.urlOf('gateways'))
    await page.getByRole('button', { name: 'Export: Gateways' }).click()
    await page.getByRole('button', { name: 'PDF: Gateways' }).click()
    await page.getByRole('alert').getByText('export').waitFor()
    await context.close()
    expect((await set(null)).status).toBe(200)
  })
})
