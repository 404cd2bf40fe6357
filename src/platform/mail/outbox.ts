import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const RECIPIENT = /^To: (.*)$/m

/**
 * Deletes the mails of the outbox to addresses of which `select` returns those to delete. The outbox is bounded by
 * OUTBOX_MAILS_MAX. A mail that was deleted meanwhile is ignored.
 */
export async function deleteOutboxMails(
  folder: string,
  select: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const recipients = new Map<string, string>()
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    const [, address] = RECIPIENT.exec(text) ?? []
    if (address) recipients.set(name, address.trim().toLowerCase())
  }
  if (recipients.size === 0) return
  const selected = await select([...new Set(recipients.values())])
  for (const [name, address] of recipients)
    if (selected.has(address)) await rm(join(folder, name), { force: true })
}
