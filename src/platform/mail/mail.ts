import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { OUTGOING_CALL_TIMEOUT_MS } from '../../kernel/limits.ts'
import { makePrivateFolder, PRIVATE_FILE_MODE } from '../files/data-folder.ts'
import { OUTBOX_MAILS_MAX } from './limits.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** In angle brackets; two mails with the same id are duplicates. */
  readonly messageId?: string
}

/** Replaces characters that could end a header or change its direction, since a subject may contain names. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')

/** Sends a mail, or throws; within OUTGOING_CALL_TIMEOUT_MS. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

export function makeSmtpMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  let transport: ReturnType<typeof openTransport> | undefined
  return {
    async send(mail) {
      transport ??= openTransport(smtpUrl)
      await (await transport).sendMail({ from, ...mail, subject: oneLine(mail.subject) })
    },
  }
}

/** The package is loaded with the first mail (ADR 0170). */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    // Mails contain only our own text: nothing is read from files or fetched for a mail.
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: OUTGOING_CALL_TIMEOUT_MS / 3,
    greetingTimeout: OUTGOING_CALL_TIMEOUT_MS / 3,
    socketTimeout: OUTGOING_CALL_TIMEOUT_MS / 3,
  })
}

export interface OutboxOptions {
  readonly folder: string
  readonly from: string
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'info'>
}

/**
 * Makes the mailer that is used without SMTP_URL: a mail becomes a file that only the service's user can
 * read, and the log names the file.
 */
export function makeOutboxMailer({ folder, from, now, log }: OutboxOptions): Mailer {
  return {
    async send({ to, subject, text, messageId }) {
      await makePrivateFolder(folder)
      const date = new Date(now())
      const stamp = date.toISOString().replaceAll(/[:.]/g, '-')
      const file = join(folder, `${stamp}-${randomBytes(4).toString('hex')}.eml`)
      const lines = [
        ...[`From: ${from}`, `To: ${to}`, `Subject: ${oneLine(subject)}`, `Date: ${date.toUTCString()}`],
        ...(messageId ? [`Message-ID: ${messageId}`] : []),
        ...[
          'MIME-Version: 1.0',
          'Content-Type: text/plain; charset=utf-8',
          'Content-Transfer-Encoding: 8bit',
          '',
        ],
      ]
      await writeFile(file, `${[...lines, text].join('\n')}\n`, { mode: PRIVATE_FILE_MODE })
      await forgetOldest(folder)
      log.info({ file }, 'no SMTP_URL is set: the mail was written to a file')
    },
  }
}

async function forgetOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  const surplus = names.slice(0, Math.max(0, names.length - OUTBOX_MAILS_MAX))
  await Promise.all(surplus.map((name) => rm(join(folder, name), { force: true })))
}
