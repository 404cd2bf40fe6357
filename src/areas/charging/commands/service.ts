import { setTimeout as sleep } from 'node:timers/promises'
import { found } from '../../../kernel/errors.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { COMMAND_POLL_EVERY_MS } from '../limits.ts'
import { requireCharger } from '../registry/index.ts'
import { hasSecretRequest } from './secrets.ts'
import * as store from './store.ts'

/** A command as the API shows it: without a secret request. */
export const toResponse = (command: store.CommandRow): store.CommandRow =>
  hasSecretRequest(command.action) ? { ...command, request: {} } : command

export async function listCommands(
  tenant: TenantDb,
  chargerId: string,
  query: Parameters<typeof store.list>[2],
) {
  await requireCharger(tenant, chargerId)
  const page = await store.list(tenant, chargerId, query)
  return { ...page, items: page.items.map(toResponse) }
}

/** 404 for an unknown charger or command, and for a command of another charger. */
export async function getCommand(tenant: TenantDb, chargerId: string, id: string): Promise<store.CommandRow> {
  await requireCharger(tenant, chargerId)
  const command = found('command', await store.findCommand(tenant, id))
  return toResponse(found('command', command.charger_id === chargerId.toLowerCase() ? command : undefined))
}

/** Polls a command until it has ended, `seconds` are over or the service stops; returns it as it is then. */
export async function waitForEnd(
  { readiness }: Pick<Deps, 'readiness'>,
  tenant: TenantDb,
  id: string,
  seconds: number,
): Promise<store.CommandRow> {
  const polls = Math.ceil((seconds * 1000) / COMMAND_POLL_EVERY_MS)
  for (let poll = 0; poll < polls && !readiness.isStopping(); poll += 1) {
    await sleep(COMMAND_POLL_EVERY_MS)
    const command = found('command', await store.findCommand(tenant, id))
    if (command.ended_at !== null) return toResponse(command)
  }
  return toResponse(found('command', await store.findCommand(tenant, id)))
}
