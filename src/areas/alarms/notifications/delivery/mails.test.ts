import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../../kernel/time.ts'
import { RESEND_MAX_MS, WEBHOOK_FAILURES_MAX } from '../limits.ts'
import { type DigestItem, digestMail } from './mails.ts'
import { quietEnd, resendAfterMs } from './send-times.ts'

const item = (over: Partial<DigestItem> = {}): DigestItem => ({
  event_type: 'raised',
  severity: 'critical',
  title: 'Trafo sıcaklığı',
  message: '85.2 > 80',
  device_name: 'Trafo 1',
  occurred_at: new Date('2026-11-20T21:30:00Z'),
  incident_id: '6f1ae1a0-0000-4000-8000-000000000001',
  payload: {},
  ...over,
})
const base = { to: 'a@b.example', critical: 1, consoleUrl: 'https://n.example', messageId: '<1@netsaat>' }

describe('mail of a digest', () => {
  it('shows the name of a system policy in the language of the reader', () => {
    const items = [item({ title: 'netting_limit_low' })]
    expect(digestMail({ ...base, language: 'tr', items, total: 1 }).subject).toContain(
      'Mahsup limiti azalıyor',
    )
    expect(digestMail({ ...base, language: 'en', items, total: 1 }).subject).toContain(
      'Netting limit is running low',
    )
  })

  it('names a single alarm in its subject, in the language of the user, with local time and link', () => {
    const mail = digestMail({ ...base, language: 'tr', items: [item()], total: 1 })
    expect(mail.subject).toBe('Netsaat: [KRİTİK] Trafo sıcaklığı')
    expect(mail.text).toContain('21.11.2026 00:30 · Alarm açıldı\nCihaz: Trafo 1\n85.2 > 80\n')
    expect(mail.text).toContain('https://n.example/alarms/incidents/6f1ae1a0-0000-4000-8000-000000000001\n')
    expect(mail.messageId).toBe('<1@netsaat>')
    const plain = digestMail({ ...base, consoleUrl: undefined, language: 'tr', items: [item()], total: 1 })
    expect(plain.text).not.toContain('/alarms/incidents')
  })

  it('counts the alarms beyond those it lists', () => {
    const mail = digestMail({ ...base, language: 'en', items: [item(), item()], total: 10_000, critical: 7 })
    expect(mail.subject).toBe('Netsaat: 10000 alarm notifications, 7 critical')
    expect(mail.text).toContain('… and 9998 more.')
  })

  it('escapes line breaks in names, so that they cannot become headers', () => {
    const title = 'x\r\nBcc: everybody@example.test'
    const { subject } = digestMail({ ...base, language: 'en', items: [item({ title })], total: 1 })
    expect(subject).toBe('Netsaat: [CRITICAL] x Bcc: everybody@example.test')
  })
})

describe('quiet hours', () => {
  const at = (time: string) => Date.parse(`2026-11-20T${time}:00+03:00`)

  it('are Turkey-local, half-open and may span midnight', () => {
    expect(quietEnd(at('12:59'), '13:00', '14:00')).toBeUndefined()
    expect(quietEnd(at('13:00'), '13:00', '14:00')).toBe(at('14:00'))
    expect(quietEnd(at('14:00'), '13:00', '14:00')).toBeUndefined()
    expect(quietEnd(at('23:10') + 30_000, '22:00', '07:00')).toBe(at('07:00') + DAY_MS)
    expect(quietEnd(at('06:59'), '22:00', '07:00')).toBe(at('07:00'))
    expect(quietEnd(at('12:00'), '22:00', '07:00')).toBeUndefined()
    expect(quietEnd(at('12:00'), '12:00', '12:00')).toBeUndefined()
  })
})

it('retry pauses grow to their maximum, and a webhook is retried for about a day', () => {
  expect([1, 2, 3, 100].map(resendAfterMs)).toEqual([10_000, 20_000, 40_000, RESEND_MAX_MS])
  const all = Array.from({ length: WEBHOOK_FAILURES_MAX }, (_, index) => resendAfterMs(index + 1))
  expect(all.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(0.8 * DAY_MS)
})
