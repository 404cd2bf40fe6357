/**
 * The requests by which messaging platforms accept a message:
 *
 * - Telegram: sendMessage of the Bot API with HTML (https://core.telegram.org/bots/api#sendmessage and
 *   #html-style): `&`, `<` and `>` are escaped.
 * - Slack: an incoming webhook with Block Kit
 *   (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 *   https://docs.slack.dev/messaging/formatting-message-text): `&`, `<` and `>` are escaped, a header has at most 150
 *   characters and the text of a section 3,000.
 * - Microsoft Teams: a webhook of Workflows with an Adaptive Card
 *   (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). A TextRun
 *   is not interpreted as Markdown, so names cannot contain links.
 * - ntfy: publishing as JSON to the root of the server (https://docs.ntfy.sh/publish/#publish-as-json).
 *
 * Everything is pure; call.ts of webhooks sends the requests.
 */
import type { DigestEntry, DigestTexts } from '../delivery/mails.ts'
import { NTFY_TEXT_MAX_BYTES } from '../limits.ts'
import type { ChannelRow } from './store.ts'

export interface PlatformRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface PlatformInput {
  readonly channel: Pick<ChannelRow, 'type' | 'chat_id' | 'server_url' | 'topic'>
  /** The opened secret; undefined for ntfy without an access token. */
  readonly secret: string | undefined
  readonly texts: DigestTexts
  readonly telegramApiUrl: string
}

/** Returns the request that sends a message to a channel. */
export function platformRequest(input: PlatformInput): PlatformRequest {
  const { channel, secret = '', texts, telegramApiUrl } = input
  switch (channel.type) {
    case 'telegram':
      return request(`${telegramApiUrl}/bot${secret}/sendMessage`, telegramBody(channel.chat_id, texts))
    case 'slack':
      return request(secret, slackBody(texts))
    case 'teams':
      return request(secret, teamsBody(texts))
    default:
      return request(
        channel.server_url ?? '',
        ntfyBody(channel.topic, texts),
        secret === '' ? {} : { authorization: `Bearer ${secret}` },
      )
  }
}

const request = (
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PlatformRequest => ({
  url,
  headers,
  body: JSON.stringify(body),
})

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeWith = (text: string, characters: RegExp): string =>
  text.replaceAll(characters, (character) => ENTITIES[character] ?? character)
const escapeHtml = (text: string): string => escapeWith(text, /[&<>"]/g)

function telegramBody(chatId: string | null, { subject, entries, more }: DigestTexts) {
  const blocks = entries.map(({ heading, lines, link }) => {
    const bold = `<b>${escapeHtml(heading)}</b>`
    return [link ? `<a href="${escapeHtml(link)}">${bold}</a>` : bold, ...lines.map(escapeHtml)].join('\n')
  })
  return {
    chat_id: chatId,
    text: [
      ...(entries.length === 1 && !more ? [] : [escapeHtml(subject)]),
      ...blocks,
      ...(more ? [escapeHtml(more)] : []),
    ].join('\n\n'),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  }
}

/** Escapes a text for Slack and cuts it between two characters so that the result is short enough. */
function escapeSlack(text: string, lengthMax: number): string {
  let escaped = ''
  for (const character of text) {
    const next = escapeWith(character, /[&<>]/g)
    if (escaped.length + next.length > lengthMax) break
    escaped += next
  }
  return escaped
}

const SLACK_HEADER_MAX = 150
const SLACK_SECTION_MAX = 3_000
const SLACK_HEADING_MAX = 700

function slackBody({ subject, entries, more }: DigestTexts) {
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
  const entryText = ({ heading, lines, link }: DigestEntry): string => {
    const title = escapeSlack(heading, SLACK_HEADING_MAX)
    // A `|` would end the URL.
    const first = link
      ? `*<${escapeSlack(link.replaceAll('|', '%7C'), SLACK_HEADING_MAX)}|${title}>*`
      : `*${title}*`
    return `${first}\n${escapeSlack(lines.join('\n'), SLACK_SECTION_MAX - first.length - 1)}`
  }
  return {
    text: escapeSlack(subject, SLACK_SECTION_MAX),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(subject, SLACK_HEADER_MAX), emoji: false } },
      ...entries.map((entry) => section(entryText(entry))),
      ...(more ? [section(escapeSlack(more, SLACK_SECTION_MAX))] : []),
    ],
  }
}

/** Cuts a text between two characters. */
const cut = (text: string, lengthMax: number): string =>
  text.slice(0, lengthMax).replace(/[\uD800-\uDBFF]$/, '')

const TEAMS_COLORS: Readonly<Record<string, string>> = { critical: 'attention', warning: 'warning' }

function teamsBody({ subject, entries, more, all }: DigestTexts) {
  const block = (text: string, run: object = {}, spacing: object = { spacing: 'none' }) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...run }],
    ...spacing,
  })
  const entryBlocks = ({ heading, lines, severity, link }: DigestEntry) => [
    block(
      heading,
      {
        weight: 'bolder',
        color: TEAMS_COLORS[severity] ?? 'default',
        ...(link && { selectAction: { type: 'Action.OpenUrl', url: link } }),
      },
      { spacing: 'medium' },
    ),
    ...lines.map((line) => block(line)),
  ]
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(subject, { size: 'medium', weight: 'bolder' }, {}),
            ...entries.flatMap(entryBlocks),
            ...(more ? [block(more, {}, { spacing: 'medium' })] : []),
          ],
          ...(all && { actions: [{ type: 'Action.OpenUrl', title: all.title, url: all.link }] }),
        },
      },
    ],
  }
}

/** Of 1 (min) to 5 (max); 3 is the default (https://docs.ntfy.sh/publish/#message-priority). */
const NTFY_PRIORITIES: Readonly<Record<string, number>> = { info: 3, warning: 4, critical: 5 }
/** Tags that ntfy shows as emoji (https://docs.ntfy.sh/emojis/). */
const NTFY_TAGS: Readonly<Record<string, readonly string[]>> = {
  warning: ['warning'],
  critical: ['rotating_light'],
}

function ntfyBody(topic: string | null, { subject, entries, more, all }: DigestTexts) {
  const [only] = entries
  const isSingle = entries.length === 1 && !more
  const blocks = entries.map(({ heading, lines }) => [...(isSingle ? [] : [heading]), ...lines].join('\n'))
  const severity = ['critical', 'warning'].find((word) => entries.some((entry) => entry.severity === word))
  const click = isSingle ? only?.link : all?.link
  return {
    topic,
    title: subject,
    message: cutBytes([...blocks, ...(more ? [more] : [])].join('\n\n'), NTFY_TEXT_MAX_BYTES),
    priority: NTFY_PRIORITIES[severity ?? 'info'],
    ...(severity && { tags: NTFY_TAGS[severity] }),
    ...(click && { click }),
  }
}

function cutBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= bytesMax) return text
  // A character that was cut in two decodes to U+FFFD.
  return bytes
    .subarray(0, bytesMax)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}
