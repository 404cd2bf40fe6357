import type { CommandAction } from '../../kernel/ocpp.ts'
import type { TenantTx } from '../../platform/db/tenant.ts'
import { confirmPassword, dropNextPassword } from './connections/store.ts'
import { endClearProfiles, endSetProfile } from './charging-profiles/effects.ts'
import { endAsk } from './files/request-file.ts'
import { endAskVersion, endSendList } from './local-list/effects.ts'
import { endCancel, endReserve } from './reservations/effects.ts'
import { linkRequestedStart } from './sessions/session-events.ts'
import { rememberGot, rememberSet } from './variables/effects.ts'
import { awaitReport } from './variables/report-store.ts'
import type { Ended } from './commands/effect.ts'

type Effect = (tx: TenantTx, ended: Ended) => Promise<void>

/** Nobody knows whether a command that timed out was carried out: then both passwords stay good. */
async function changePassword(tx: TenantTx, { command, now }: Ended): Promise<void> {
  if (command.state === 'accepted') await confirmPassword(tx, command.charger_id, now)
  else if (command.state !== 'timed_out') await dropNextPassword(tx, command.charger_id)
}

/** What the end of a command, whichever it is, changes in our records; in the transaction of that end. */
export const EFFECTS: Readonly<Partial<Record<CommandAction, Effect>>> = {
  set_password: changePassword,
  get_diagnostics: endAsk,
  get_security_log: endAsk,
  get_configuration: rememberGot,
  set_configuration: rememberSet,
  get_base_report: awaitReport('variables'),
  get_report: awaitReport('variables'),
  customer_information: awaitReport('customer_information'),
  get_charging_profiles: awaitReport('charging_profiles'),
  remote_start: linkRequestedStart,
  reserve: endReserve,
  cancel_reservation: endCancel,
  send_local_list: endSendList,
  get_local_list_version: endAskVersion,
  set_charging_profile: endSetProfile,
  clear_charging_profile: endClearProfiles,
}
