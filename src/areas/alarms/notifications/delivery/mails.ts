import { iso, TURKEY_OFFSET_MS } from '../../../../kernel/time.ts'
import type { Mail } from '../../../../platform/mail/mail.ts'
import { messageIn } from '../../incidents/index.ts'
import { titleIn } from '../../system-alarms/index.ts'

export type Language = 'tr' | 'en'

export interface DigestItem {
  readonly event_type: string
  readonly severity: string
  readonly title: string
  readonly message: string
  readonly device_name: string | null
  readonly occurred_at: Date
  readonly incident_id: string | null
  /** The payload of the incident, from which its message was composed. */
  readonly payload: unknown
}

export interface DigestInput {
  readonly language: Language
  /** The items, the most severe first. The list is truncated when there are many. */
  readonly items: readonly DigestItem[]
  readonly total: number
  readonly critical: number
  /** The base URL of the front end that shows incidents; without it the digest has no links. */
  readonly consoleUrl: string | undefined
}

export interface Digest extends DigestInput {
  readonly to: string
  readonly messageId: string
  /** The mail is sent because of an escalation policy and not because of the settings of its recipient. */
  readonly isEscalation?: boolean
}

/** One notification of a digest, as lines of text. */
export interface DigestEntry {
  readonly heading: string
  readonly lines: readonly string[]
  readonly severity: string
  readonly link: string | undefined
}

/** The texts of a digest without the markup of a mail or a messaging platform. */
export interface DigestTexts {
  readonly subject: string
  readonly entries: readonly DigestEntry[]
  /** How many further notifications there are; undefined when all are listed. */
  readonly more: string | undefined
  /** The list of all incidents. */
  readonly all: { readonly title: string; readonly link: string } | undefined
}

const TEXTS = {
  tr: {
    severities: { info: 'BİLGİ', warning: 'UYARI', critical: 'KRİTİK' },
    events: {
      raised: 'Alarm açıldı',
      severity_changed: 'Önem derecesi değişti',
      woken: 'Erteleme bitti, alarm sürüyor',
      closed: 'Alarm kapandı',
      webhook_disabled: 'Webhook durduruldu',
      channel_disabled: 'Bildirim kanalı durduruldu',
      escalated: 'Alarm henüz onaylanmadı',
    },
    many: (total: number, critical: number) => `${total} alarm bildirimi, ${critical} kritik`,
    more: (count: number) => `… ve ${count} bildirim daha.`,
    device: 'Cihaz',
    all: 'Bütün alarmlar',
    why: 'Bu e-postayı Netsaat bildirim ayarlarınız nedeniyle aldınız; orada değiştirebilirsiniz.',
    whyEscalated: 'Bu e-postayı, alarm onaylanmadığı için bir yükseltme kuralı gereği aldınız.',
  },
  en: {
    severities: { info: 'INFO', warning: 'WARNING', critical: 'CRITICAL' },
    events: {
      raised: 'Alarm raised',
      severity_changed: 'Severity changed',
      woken: 'The snooze is over, the alarm goes on',
      closed: 'Alarm closed',
      webhook_disabled: 'Webhook stopped',
      channel_disabled: 'Notification channel stopped',
      escalated: 'Alarm not acknowledged yet',
    },
    many: (total: number, critical: number) => `${total} alarm notifications, ${critical} critical`,
    more: (count: number) => `… and ${count} more.`,
    device: 'Device',
    all: 'All alarms',
    why: 'You get this e-mail because of your notification settings at Netsaat; you can change them there.',
    whyEscalated: 'You get this e-mail by an escalation policy, because the alarm was not acknowledged.',
  },
} as const

const textOf = (texts: Readonly<Record<string, string>>, key: string): string => texts[key] ?? key

/**
 * Replaces line breaks and truncates a text. Names are user input, and a line break in one must not start a
 * new mail header.
 */
const oneLine = (text: string, lengthMax: number): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    // A surrogate without its pair, which messaging platforms refuse.
    .replace(/[\uD800-\uDBFF]$/, '')

/** Formats a Turkey-local time: 2026-11-21 00:30 in English, 21.11.2026 00:30 in Turkish. */
function localTime(at: Date, language: Language): string {
  const [date = '', time] = iso(at.getTime() + TURKEY_OFFSET_MS)
    .slice(0, 16)
    .split('T')
  return `${language === 'tr' ? date.split('-').toReversed().join('.') : date} ${time}`
}

/** Composes the texts of a digest in its language. Times are Turkey-local. */
export function digestTexts({ language, items, total, critical, consoleUrl }: DigestInput): DigestTexts {
  const texts = TEXTS[language]
  const heading = ({ severity, title }: DigestItem) =>
    `[${textOf(texts.severities, severity)}] ${oneLine(titleIn(language, title), 120)}`
  const entries = items.map((item) => ({
    heading: heading(item),
    lines: [
      `${localTime(item.occurred_at, language)} · ${textOf(texts.events, item.event_type)}`,
      ...(item.device_name === null ? [] : [`${texts.device}: ${oneLine(item.device_name, 200)}`]),
      oneLine(messageIn(language, item), 500),
    ],
    severity: item.event_type === 'closed' ? 'info' : item.severity,
    link: consoleUrl && item.incident_id ? `${consoleUrl}/alarms/incidents/${item.incident_id}` : undefined,
  }))
  const [first] = items
  return {
    subject: `Netsaat: ${total === 1 && first ? heading(first) : texts.many(total, critical)}`,
    entries,
    more: total > items.length ? texts.more(total - items.length) : undefined,
    all: consoleUrl ? { title: texts.all, link: `${consoleUrl}/alarms/incidents` } : undefined,
  }
}

/** Composes one mail with all pending notifications of a user in the language of the user. */
export function digestMail({ to, messageId, isEscalation = false, ...input }: Digest): Mail {
  const { subject, entries, more, all } = digestTexts(input)
  const blocks = entries.map(({ heading, lines, link }) =>
    [heading, ...lines, ...(link === undefined ? [] : [link])].join('\n'),
  )
  const rest = more === undefined ? [] : [more]
  const { why, whyEscalated } = TEXTS[input.language]
  const links = all ? [`${all.title}: ${all.link}`] : []
  return {
    to,
    subject,
    text: `${[...blocks, ...rest, ...links, isEscalation ? whyEscalated : why].join('\n\n')}\n`,
    messageId,
  }
}
