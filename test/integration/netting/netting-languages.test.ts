import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EligibilityFixture, startEligibility } from '../../support/netting/eligibility.ts'

let fixture: EligibilityFixture
let token: string

beforeAll(async () => {
  fixture = await startEligibility()
  token = fixture.ownTenant.admin.token
})
afterAll(() => fixture.close())

const get = (path: string, language?: string) =>
  fixture.api.call('GET', path, { token, ...(language && { headers: { 'accept-language': language } }) })

describe('texts of netting', () => {
  it('follow Accept-Language in the results of the rules and in alarms, also after they were stored', async () => {
    const group = await fixture.readyGroup()
    await fixture.evaluate(group.id)
    const rulesIn = async (language?: string) => {
      const response = await get(`/api/mahsuplasma/groups/${group.id}/eligibility`, language)
      const rule = response.body.rules.find(({ code }: { code: string }) => code === 'R00T')
      return { rule, headers: response.headers }
    }
    const english = await rulesIn()
    const turkish = await rulesIn('tr-TR,tr;q=0.9,en;q=0.8')
    expect(english.rule.message).toMatch(/^No approved price of sanayi for 2026-11: /)
    expect(turkish.rule.message).toMatch(/^Kasım 2026 için onaylı fiyatı olmayan abone grupları: sanayi; /)
    expect(turkish.rule.message_code).toBe('R00T_TARIFF_OF_GROUPS_NOT_APPROVED')
    expect({ ...turkish.rule, message: '' }).toEqual({ ...english.rule, message: '' })
    expect(turkish.headers.get('content-language')).toBe('tr')
    expect(turkish.headers.get('vary')).toMatch(/accept-language/i)
    expect(english.headers.get('content-language')).toBe('en')

    const alarm = async (language?: string) => {
      const { body } = await get('/api/alarms/incidents?limit=100', language)
      return body.items.find(
        ({ payload }: { payload: { rule_code: string } }) => payload.rule_code === 'R00T',
      )
    }
    expect((await alarm()).message).toContain('No approved price of sanayi')
    expect((await alarm('tr')).message).toContain('Kasım 2026 için onaylı fiyatı olmayan')
    expect((await alarm('tr')).payload).toMatchObject({ message_code: 'NETTING_ALARM' })
  })

  it('follow Accept-Language in errors and in failures of the schema', async () => {
    const path = `/api/mahsuplasma/groups/${randomUUID()}`
    const unknown = await get(path, 'tr')
    expect(unknown.body.detail).toEqual({
      error_code: 'RESOURCE_NOT_FOUND',
      message: 'kayıt bulunamadı: grup',
      message_code: 'RECORD_NOT_FOUND',
      parameters: { what: 'group' },
    })
    expect((await get(path)).body.detail.message).toBe('group not found')
    const invalid = await get('/api/mahsuplasma/groups/x', 'tr')
    expect(invalid.status).toBe(422)
    expect(invalid.body.detail).toMatchObject([{ msg: 'biçimi şu olmalı: bir UUID', type: 'format' }])
    expect((await get('/api/mahsuplasma/groups/x', 'de')).body.detail[0].msg).toContain('must match format')
  })
})
