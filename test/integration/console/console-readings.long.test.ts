import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { exportTable } from '../../support/console/export-table.ts'
import { makeSpring } from '../../support/netting/calculated-months.ts'
import { makeFacility, makeGroup } from '../../support/netting/netting.ts'
import { makeInstallation, postReadings } from '../../support/netting/osos.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

describe.runIf(chromiumPath)('official readings in the console (needs chromium)', () => {
  let test: TestConsole
  let installationId: string

  beforeAll(async () => {
    test = await startConsole()
    const installation = await makeInstallation(test.api, test.tenant, { installation_no: '4005123' })
    installationId = installation.id
  })
  afterAll(() => test.close())

  const read = async (path: string) =>
    (await test.api.call('GET', path, { token: test.tenant.admin.token })).body

  it('imports a file, corrects its rejected rows in place, and lists both imports', async () => {
    await test.visit('admin', 'readings', async (page) => {
      await page.getByText('No import yet').waitFor()
      await page.getByLabel('Installation').first().fill('4005123')
      await page
        .getByLabel('File (CSV or XLSX)')
        .first()
        .setInputFiles({
          name: 'may.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(
            'Tarih;Saat;Çekiş;Veriş\n01.05.2026;01:00;1,5;0\n01.05.2026;02:00;x;0\n01.05.2026;03:00;-1;0\n',
          ),
        })
      await page.getByRole('button', { name: 'Import readings' }).click()
      await page.getByText('3 rows read: 1 new, 0 corrected, 0 unchanged, 1 suspect, 1 rejected').waitFor()
      const rows = page.getByRole('region', { name: 'Rows of the file' })
      await rows.getByRole('row', { name: /^3.*rejected/ }).waitFor()
      await page.getByLabel('Line 3').fill('01.05.2026;02:00;2,5;0')
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByText('3 rows read: 1 new, 0 corrected, 2 unchanged, 0 suspect, 0 rejected').waitFor()
      const imports = page.getByRole('region', { name: 'Imports' })
      await imports
        .getByRole('row', { name: /may\.csv.*4005123/ })
        .nth(1)
        .waitFor()
      await page.getByText('The results of every group include all readings.').waitFor()
    })
    const readings = await read(`/api/osos/installations/${installationId}/readings`)
    expect(readings.map((one: { import_kwh: string | null }) => one.import_kwh)).toEqual([
      '1.500',
      '2.500',
      null,
    ])
  })

  it('imports the file of one meter: nothing is stored until its rows are corrected in place', async () => {
    const facility = await makeFacility(test.api.deps, test.tenant, {})
    const { name } = await read(`/api/mahsuplasma/facilities/${facility.id}`)
    await test.visit('admin', 'readings', async (page) => {
      const section = page.locator('section', {
        has: page.getByRole('heading', { name: 'Import the readings of one meter' }),
      })
      await section.getByLabel('or facility').fill(name)
      await section.getByLabel('Measurement role').selectOption('main_consumption')
      await section.getByLabel('Interval, minutes').selectOption('15')
      await section.getByLabel('Multiplier').fill('2,0')
      await section.getByLabel('Header of the import').fill('Ölçülen')
      await section.getByLabel('File (CSV or XLSX)').setInputFiles({
        name: 'meter.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          'Tarih;Saat;Ölçülen\n01.05.2026;00:15;1,5\n01.05.2026;00:30;x\n' +
            '01.05.2026;00:45;1\n01.05.2026;01:00;1\n',
        ),
      })
      await section.getByRole('button', { name: 'Import the file' }).click()
      await section.getByText('1 row with errors; nothing was stored.').waitFor()
      await section.getByLabel('Line 3').fill('01.05.2026;00:30;2,5')
      await section.getByRole('button', { name: 'Check again' }).click()
      await section.getByText('4 rows, 1 hours: 1 new, 0 corrected, 0 unchanged, 0 suspect').waitFor()
    })
    const range = 'from=2026-05-01T00:00:00%2B03:00&to=2026-05-01T01:00:00%2B03:00'
    expect(await read(`/api/mahsuplasma/facilities/${facility.id}/hourly-energy?${range}`)).toMatchObject([
      { consumption_kwh: '12.000', source: 'customer_declared' },
    ])
  })

  it('names the months of groups whose results no longer match', async () => {
    await makePriceSet(test.api.deps, '2025-01-01', INDUSTRIAL_PRICES)
    const { group, producer } = await makeSpring(test.api, test.tenant)
    await makeGroup(test.api.deps, test.tenant, { name: 'Without a change', members: [] })
    const { id } = await makeInstallation(test.api, test.tenant, {
      ...{ facility_id: producer.id, measurement_role: 'main_production' },
    })
    test.api.clock.advance(60_000)
    const readings = [['2026-05-01T00:00:00+03:00', '0', '41.5']] as const
    const stored = await postReadings(test.api, test.tenant, { id, label: 'hour_starting', readings })
    expect(stored.body, stored.text).toMatchObject({ accepted: 1, facts_written: 1 })
    await test.visit('admin', 'readings', async (page) => {
      const effects = page.getByRole('region', { name: 'Netted months that no longer match' })
      await effects.getByText('May 2026').waitFor()
      const file = await exportTable(page, 'Netted months that no longer match', 'CSV')
      const text = await readFile(await file.path(), 'utf8')
      expect(text.trim().split('\n')).toHaveLength(2)
      expect(text).not.toContain('Without a change')
      await effects.getByRole('link').click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(page.url()).toContain(`/netting/groups/${group.id}/runs`)
      await page.goBack()
      await page
        .getByRole('button', { name: /^Months: / })
        .first()
        .click()
      const months = page.getByRole('region', { name: /^Months: / })
      await months.getByRole('row', { name: /May 2026.* 1 .*before the import/ }).waitFor()
      await months.getByRole('link').click()
      await page.getByText('Runs of May 2026').first().waitFor()
      expect(page.url()).toContain(`/netting/groups/${group.id}/runs?month=2026-05`)
    })
  })

  it('offers no import to a user who may only read', async () => {
    await test.visit('viewer', 'readings', async (page) => {
      await page
        .getByRole('row', { name: /may\.csv/ })
        .first()
        .waitFor()
      expect(await page.getByRole('button', { name: 'Import readings' }).count()).toBe(0)
    })
  })
})
