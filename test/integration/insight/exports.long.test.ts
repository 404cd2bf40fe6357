import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { titlesOf } from '../../../src/areas/insight/exports/titles.ts'
import { METRICS } from '../../../src/kernel/metrics.ts'
import {
  EXPORT_RANGE,
  EXPORT_START,
  EXPORT_STEPS,
  type ExportFixture,
  METER_NAME,
  setUpExports,
} from '../../support/insight/exports.ts'
import { createDevice, readAggregated } from '../../support/metering/measurements.ts'
import { linesOfPdf, sheetsOf } from '../../support/opened-files.ts'
import { hasProgram } from '../../support/process/programs.ts'

let exports: ExportFixture
beforeAll(async () => {
  exports = await setUpExports('exports')
})
afterAll(() => exports.close())

describe('direct export', () => {
  it('is a CSV of the stored samples, in Turkish', async () => {
    const { bytes, headers } = await exports.bytesOf('/export', {
      format: 'csv',
      interval: 'raw',
      device_ids: [exports.meter.id, exports.plant.id],
    })
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="netsaat-olcumler-2026-11-01_2026-11-04.csv"; ' +
        "filename*=UTF-8''netsaat-%C3%B6l%C3%A7%C3%BCmler-2026-11-01_2026-11-04.csv",
    )
    const lines = bytes.toString().split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFdevice_name;device_id;timestamp;import_active_energy;production_active_energy;voltage_l1;active_power',
    )
    expect(lines[1]).toBe(`${METER_NAME};${exports.meter.id};01.11.2026 00:00;1000;;231,5;0,5`)
    expect(lines[2]).toBe(`${METER_NAME};${exports.meter.id};01.11.2026 00:15;1000,125;;231,5;0,5`)
    expect(lines[EXPORT_STEPS + 1]).toContain(`;${exports.plant.id};01.11.2026 00:00;;10;;`)
    expect(lines).toHaveLength(1 + 2 * EXPORT_STEPS + 1)
  })

  it('has the requested columns, extra values included, and the machine-readable locale', async () => {
    const { bytes } = await exports.bytesOf('/export', {
      format: 'csv',
      interval: 'raw',
      locale: 'en',
      metrics: ['oil_level', 'import_active_energy', 'nothing "like" this'],
      file_name: '../Gün sonu: rapor?',
    })
    const lines = bytes.toString().split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFdevice_name,device_id,timestamp,oil_level,import_active_energy,"nothing ""like"" this"',
    )
    expect(lines[4]).toBe(`${METER_NAME},${exports.meter.id},2026-11-01T00:45:00+03:00,3,1000.375,`)
  })

  it('by hour, day and month has the figures of the aggregates', async () => {
    for (const interval of ['hourly', 'daily', 'monthly']) {
      const { bytes } = await exports.bytesOf('/export', { format: 'csv', interval, locale: 'en' })
      const rows = bytes.toString().trim().split('\r\n').slice(1)
      const expected = await readAggregated(
        exports.api,
        exports.tenant,
        `/devices/${exports.meter.id}/aggregated?${new URLSearchParams({ ...EXPORT_RANGE, interval })}`,
      )
      expect(expected.length, interval).toBeGreaterThan(0)
      expect(rows.map((row) => row.split(',')[3])).toEqual(
        expected.map(({ total_energy }) => String(total_energy)),
      )
      expect(rows.map((row) => row.split(',').slice(-2))).toEqual(
        expected.map((row) => [String(row.is_estimated), row['data_quality']]),
      )
    }
    const { bytes } = await exports.bytesOf('/export', {
      format: 'csv',
      interval: 'daily',
      device_ids: [exports.plant.id],
      metrics: ['production_active_energy', 'voltage'],
    })
    expect(bytes.toString().split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFdevice_name;device_id;timestamp;production_active_energy;voltage;is_estimated;data_quality',
      expect.stringMatching(/;01\.11\.2026 00:00;24;;false;complete$/),
    ])
  })

  it('is an XLSX with number and time cells', async () => {
    const { bytes, headers } = await exports.bytesOf('/export', { format: 'xlsx', interval: 'raw' })
    expect(headers.get('content-type')).toContain('spreadsheetml')
    const rows = (await readSheet(bytes)) as unknown[][]
    expect(rows).toHaveLength(1 + EXPORT_STEPS)
    expect(rows[2]).toEqual([
      METER_NAME,
      exports.meter.id,
      new Date('2026-11-01T00:15:00Z'),
      1000.125,
      231.5,
      0.5,
    ])
  })

  it.each([
    [
      'tr',
      ['Aktif enerji, çekiş endeksi (kWh)', 'Gerilim L1 (V)', 'oil_level'],
      [
        'Çekilen aktif enerji (kWh)',
        'Ortalama gerilim (V)',
        'Ortalama güç faktörü',
        'Kısmen tahmini',
        'Veri kalitesi',
      ],
      ['hayır', 'tam'],
    ],
    [
      'en',
      ['Active energy, import register (kWh)', 'Voltage L1 (V)', 'oil_level'],
      [
        'Active energy drawn (kWh)',
        'Mean voltage (V)',
        'Mean power factor',
        'Partly estimated',
        'Data quality',
      ],
      ['no', 'complete'],
    ],
  ])('has headers with units in the language of the locale %s', async (locale, raw, hourly, words) => {
    const metrics = ['import_active_energy', 'voltage_l1', 'oil_level']
    const averages = ['import_active_energy', 'voltage', 'power_factor']
    for (const format of ['xlsx', 'csv']) {
      const headers = format === 'csv' ? { headers: 'labels', delimiter: '\t' } : {}
      const rowsOf = async (body: object) => {
        const { bytes } = await exports.bytesOf('/export', { format, locale, ...headers, ...body })
        if (format === 'xlsx') return (await readSheet(bytes)) as unknown[][]
        return bytes
          .toString()
          .trim()
          .split('\r\n')
          .map((line) => line.split('\t'))
      }
      expect((await rowsOf({ interval: 'raw', metrics }))[0]?.slice(3)).toEqual(raw)
      const rows = await rowsOf({ interval: 'hourly', metrics: averages })
      expect(rows[0]?.slice(3)).toEqual(hourly)
      expect(rows[1]?.slice(-2)).toEqual(words)
    }
  })

  it('keeps the names of the API as headers on request, in every format', async () => {
    const { bytes } = await exports.bytesOf('/export', { format: 'xlsx', headers: 'names' })
    const [head, first] = (await readSheet(bytes)) as unknown[][]
    expect(head?.slice(0, 4)).toEqual(['device_name', 'device_id', 'timestamp', 'import_active_energy'])
    expect([head?.slice(-2), first?.slice(-2)]).toEqual([
      ['is_estimated', 'data_quality'],
      ['false', 'complete'],
    ])
    expect((await exports.request({ headers: 'colours' })).status).toBe(422)
  })

  it('names every metric once in each language and interval', () => {
    for (const locale of ['tr', 'en'] as const)
      for (const interval of ['raw', 'daily'] as const) {
        const title = titlesOf({ headers: 'labels', locale, interval })
        const titles = METRICS.map((metric) => title(metric))
        expect(titles.filter((text, index) => text === METRICS[index])).toEqual([])
        expect(new Set(titles).size).toBe(METRICS.length)
      }
  })

  it.skipIf(!hasProgram('soffice'))(
    'is read back by LibreOffice with its headers (needs soffice)',
    async () => {
      const { bytes } = await exports.bytesOf('/export', {
        ...{ format: 'xlsx', interval: 'daily', metrics: ['import_active_energy', 'active_power'] },
      })
      const [[head, first] = []] = await sheetsOf([bytes])
      expect(head).toEqual([
        ...['Cihaz', 'Cihaz kimliği', 'Tarih ve saat (Türkiye saati)', 'Çekilen aktif enerji (kWh)'],
        ...['Ortalama aktif güç (kW)', 'Kısmen tahmini', 'Veri kalitesi'],
      ])
      expect(first).toEqual([
        ...[METER_NAME, exports.meter.id, '01.11.2026 00:00:00', '12', '0.5', 'hayır', 'tam'],
      ])
    },
  )

  it('accepts excel as an alias of XLSX', async () => {
    const { bytes, headers } = await exports.bytesOf('/export', { format: 'excel', file_name: 'Kasım' })
    expect(headers.get('content-disposition')).toContain('filename="Kasim.xlsx"')
    expect(await readSheet(bytes)).toHaveLength(1 + 4 * 24)
  })

  it('has only its header without data, and the instants where no metric has a column', async () => {
    const empty = { interval: 'raw', start: '2026-10-01', end: '2026-10-02' }
    const head = '\uFEFFdevice_name;device_id;timestamp'
    const { bytes } = await exports.bytesOf('/export', { ...empty, format: 'csv' })
    expect(bytes.toString()).toBe(`${head}\r\n`)
    const sheet = await exports.bytesOf('/export', { ...empty, format: 'xlsx' })
    expect(await readSheet(sheet.bytes)).toEqual([
      ['Cihaz', 'Cihaz kimliği', 'Tarih ve saat (Türkiye saati)'],
    ])

    const tank = await createDevice(exports.api, exports.tenant)
    const values = { oil_level: 5 }
    await exports.api.deps.ingest.submit(exports.tenant.id, [
      { deviceId: tank.id, at: EXPORT_START + 7_250, values },
    ])
    const only = await exports.bytesOf('/export', { interval: 'raw', format: 'csv', device_ids: [tank.id] })
    expect(only.bytes.toString()).toMatch(`;${tank.id};01.11.2026 00:00:07,250\r\n`)
    expect(only.bytes.toString()).toMatch(head)
  })

  it('is rejected with invalid parameters', async () => {
    const responses = [
      [await exports.request({ device_ids: [] }), 'device_ids'],
      [await exports.request({ end: '2026-10-01' }), 'end'],
      [await exports.request({ start: '2020-01-01' }), 'start'],
      [await exports.request({ interval: 'raw', start: '2020-01-01' }), 'start'],
      [await exports.request({ interval: 'daily', metrics: ['frequency'] }), 'metrics'],
      [await exports.request({ format: 'docx' }), 'format'],
    ] as const
    for (const [{ status, text }, field] of responses) {
      expect(status).toBe(422)
      expect(text).toContain(`"loc":["body","${field}"`)
    }
    const foreign = await createDevice(exports.api, exports.otherTenant)
    const [first, second] = [foreign.id, crypto.randomUUID()].map((id) =>
      exports.request({ device_ids: [exports.meter.id, id] }),
    )
    const texts = [await first, await second].map((response) =>
      response?.text.replaceAll(/[0-9a-f-]{36}/g, 'id'),
    )
    expect(texts[0]).toContain('INVALID_REFERENCE')
    expect(texts[0]).toBe(texts[1])
    expect((await exports.request({}, exports.tenant.viewer.token)).status).toBe(403)
  })
})

describe('PDF export', () => {
  it('embeds its fonts and is small for any request', async () => {
    const { bytes, headers } = await exports.bytesOf('/export', { format: 'pdf', interval: 'raw' })
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const text = bytes.toString('latin1')
    expect(text).toMatch(/\/FontFile2/)
    expect(text).toMatch(/\/ToUnicode/)
    expect(text).toMatch(/\/BaseFont \/[A-Z]{6}\+DejaVuSans/)
    expect(bytes.length).toBeLessThan(200_000)
  })

  it.skipIf(!hasProgram('pdftotext'))('lists the consumption in Turkish (needs pdftotext)', async () => {
    for (const [locale, words] of [
      [
        'tr',
        ['Enerji raporu', 'Dönem: 01.11.2026 – 04.11.2026', METER_NAME, 'Üretim', '48,000', 'Sayfa 1 /'],
      ],
      ['en', ['Energy report', 'Period: 2026-11-01', METER_NAME, 'Production', '48.000', 'Page 1 of']],
    ] as const) {
      const { bytes } = await exports.bytesOf('/export', {
        format: 'pdf',
        locale,
        device_ids: [exports.meter.id, exports.plant.id],
      })
      const text = (await linesOfPdf(bytes)).join(' ')
      for (const word of words) expect(text).toContain(word)
    }
  })

  it('is by month for many days, and states when there is no data', async () => {
    const { bytes } = await exports.bytesOf('/export', {
      format: 'pdf',
      start: '2025-01-01',
      end: '2026-01-01',
    })
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })
})
