import type { Deps } from '../../../../platform/deps.ts'
import { OTA_LINK_TTL_MS } from '../limits.ts'
import type { Command } from '../updates/command-store.ts'
import { makeLink } from './link.ts'

/** Where the file of an attempt is to be had, and until when; without PUBLIC_BASE_URL only a path. */
export function linkOf(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  tenantId: number,
  command: Command,
): { readonly url: string; readonly expiresAt: Date } {
  const expiresAt = Math.min(clock.now() + OTA_LINK_TTL_MS, command.deadline_at?.getTime() ?? Infinity)
  const token = makeLink(
    { tenantId, updateId: command.id, attempt: command.attempt, expiresAt },
    config.secretKey,
  )
  return {
    url: `${config.publicBaseUrl ?? ''}/api/firmware/download/${token}`,
    expiresAt: new Date(expiresAt),
  }
}
