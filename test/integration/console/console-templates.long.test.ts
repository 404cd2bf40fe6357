import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureSystemTemplates } from '../../../src/areas/equipment/device-templates/index.ts'
import { DISPLAYS, faultsOf } from '../../support/console/browser.ts'
import { startConsole, type TestConsole } from '../../support/console/console.ts'
import { chromiumPath } from '../../support/process/chromium.ts'

const TEMPLATES = '/api/devices/device-templates'

describe.runIf(chromiumPath)('device templates in the console (needs chromium)', () => {
  let test: TestConsole

  beforeAll(async () => {
    test = await startConsole()
    await ensureSystemTemplates(test.api.deps)
  })
  afterAll(() => test.close())

  const read = async (path: string) =>
    (await test.api.call('GET', path, { token: test.tenant.admin.token })).body
  const systemId = async () => (await read(`${TEMPLATES}?search=SDM630`)).items[0].id

  it('runs the golden frames of a template of the service, also for a user who may only read', async () => {
    await test.visit('viewer', 'templates', async (page) => {
      await page.getByLabel('Search').fill('SDM630')
      await page.getByRole('link', { name: 'Eastron SDM630' }).click()
      await page.getByRole('button', { name: 'Run the frames' }).click()
      await page.getByText(/\d+ values as expected, 0 different/).waitFor()
      const values = page.getByRole('region', { name: 'Values of frame 1' })
      await values.getByText('as expected').first().waitFor()
      expect(await page.getByRole('button', { name: /Save|Copy|Edit|Delete/ }).count()).toBe(0)
      // An own frame can be decoded with a map that cannot be changed.
      await page.getByRole('button', { name: 'Add a frame' }).click()
      const added = page.locator('section.card').last()
      await added.getByLabel('Frame (hex)').fill('42F00000')
      await added.getByLabel('Registers in it').fill('4:0+2')
      await page.getByRole('button', { name: 'Run the frames' }).click()
      await added.getByText('120 V').waitFor()
      await added.getByText('nothing expected').waitFor()
    })
  })

  it('edits a copy: faults are at their cells, a frame that differs is shown, and the map is stored', async () => {
    const id = await systemId()
    const { page, context } = await test.browser.open(test.emails.admin)
    await page.goto(test.urlOf(`templates/${id}`))
    await page.getByRole('button', { name: 'Copy to an own template' }).click()
    await page.getByRole('heading', { name: 'Eastron SDM630 (copy)' }).waitFor()
    const unit = page.getByLabel('Unit of register 1', { exact: true })
    await unit.fill('kW')
    await page.getByRole('button', { name: 'Save the register map' }).click()
    const marked = page.getByLabel(/^Unit of register 1: /)
    await marked.waitFor()
    expect(await marked.getAttribute('aria-invalid')).toBe('true')
    await marked.fill('')
    await page.getByLabel('Scale of register 1', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Run the frames' }).click()
    await page.getByText(/as expected, [1-9]\d* different/).waitFor()
    const values = page.getByRole('region', { name: 'Values of frame 1' })
    await values.getByRole('row', { name: /voltage_l1.*different/ }).waitFor()
    await page.getByRole('button', { name: 'Take the decoded values of frame 1' }).click()
    await page.getByRole('button', { name: 'Run the frames' }).click()
    await page.getByText(/\d+ values as expected, 0 different/).waitFor()
    await page.getByRole('button', { name: 'Save the register map' }).click()
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' })
    const copy = (await read(`${TEMPLATES}?search=copy`)).items[0]
    expect(copy.register_map.registers[0]).toMatchObject({ key: 'voltage_l1', scale: 2 })

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
    await page.getByLabel('Upload a register map').setInputFiles({
      name: 'map.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        '#format,ems-register-map/1\n#transports,modbus_tcp\n' +
          'key,metric,address,function,type,kind\nu,voltage_l1,7,3,u16,gauge\n',
      ),
    })
    await page.getByLabel('Address of register 1', { exact: true }).and(page.locator('[value="7"]')).waitFor()
    await context.close()
  })

  it('imports a SunSpec model at its base address, and refuses a file that is no JSON', async () => {
    const points = [
      { name: 'ID', type: 'uint16', size: 1 },
      { name: 'L', type: 'uint16', size: 1 },
      { name: 'WH', type: 'acc32', size: 2, sf: 'WH_SF', units: 'Wh' },
      { name: 'WH_SF', type: 'sunssf', size: 1 },
    ]
    const document = JSON.stringify({ id: 103, group: { name: 'inverter', points } })
    const file = (text: string) => ({
      name: 'model_103.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await test.visit('admin', 'templates', async (page) => {
      await page.getByRole('button', { name: 'Import a template' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Inverter of the roof')
      await dialog.getByLabel('Type of device').fill('inverter')
      await dialog.getByLabel('Address of the first model').fill('40069')
      await dialog.getByLabel('File').setInputFiles(file(document.slice(1)))
      await dialog.getByRole('button', { name: 'Import a template' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('File').setInputFiles(file(document))
      await dialog.getByRole('button', { name: 'Import a template' }).click()
      await dialog.getByRole('button', { name: 'Open the template' }).click()
      await page.getByRole('heading', { name: 'Inverter of the roof' }).waitFor()
      await page
        .getByLabel('Address of register 1', { exact: true })
        .and(page.locator('[value="40071"]'))
        .waitFor()
    })
    const [template] = (await read(`${TEMPLATES}?search=roof`)).items
    expect(template).toMatchObject({ device_type: 'inverter', protocols: ['modbus_tcp', 'modbus_rtu'] })
  })

  it.each(DISPLAYS)('has no serious accessibility fault in the editor and fits: %o', async (display) => {
    const { page, errors, context } = await test.browser.open(test.emails.admin, display)
    const own = (await read(`${TEMPLATES}?search=copy`)).items[0]
    await page.goto(test.urlOf(`templates/${own.id}`))
    await page.locator('.register-grid button').first().click()
    expect(await faultsOf(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})
