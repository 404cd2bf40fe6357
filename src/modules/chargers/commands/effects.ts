import type { CommandAction } from '../../../kernel/ocpp.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { confirmPassword, dropNextPassword } from '../connection-store.ts'
import { endCancel, endReserve } from '../reservations/effects.ts'
import type { Ended } from './ended.ts'

type Effect = (tx: TenantTx, ended: Ended) => Promise<void>

/** Nobody knows whether a command that timed out was carried out: then both passwords stay good. */
async function changePassword(tx: TenantTx, { command, now }: Ended): Promise<void> {
  if (command.state === 'accepted') await confirmPassword(tx, command.charger_id, now)
  else if (command.state !== 'timed_out') await dropNextPassword(tx, command.charger_id)
}

/** What the end of a command, whichever it is, changes in our records; in the transaction of that end. */
export const EFFECTS: Readonly<Partial<Record<CommandAction, Effect>>> = {
  set_password: changePassword,
  reserve: endReserve,
  cancel_reservation: endCancel,
}
