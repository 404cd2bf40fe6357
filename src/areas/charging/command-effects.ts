import type { CommandAction } from '../../kernel/ocpp.ts'
import type { TenantTx } from '../../platform/db/tenant.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { settleClearedProfiles, settleProfile } from './charging-profiles/index.ts'
import { type CommandEffect, type CommandQueue, cancelIfPending, makeCommandQueue } from './commands/index.ts'
import { settleFileRequest } from './files/index.ts'
import { isShareCommand, settleShare } from './groups/index.ts'
import { settleListPart, settleListVersion } from './local-list/index.ts'
import { settlePassword } from './passwords/index.ts'
import { settleCancellation, settleReservation } from './reservations/index.ts'
import { linkRemoteStart } from './sessions/index.ts'
import { expectReport, storeReadVariables, storeWrittenVariable } from './variables/index.ts'

/** For a command that changes no record: the station reports what it has changed by itself. */
const none: CommandEffect = async () => {}

/**
 * The effect of the end of a command on the records of the features, by action. All effects of the area are
 * listed here.
 */
export const COMMAND_EFFECTS: Readonly<Record<CommandAction, CommandEffect>> = {
  remote_start: linkRemoteStart,
  remote_stop: none,
  reset: none,
  unlock: none,
  change_availability: none,
  get_configuration: storeReadVariables,
  set_configuration: storeWrittenVariable,
  clear_cache: none,
  trigger_message: none,
  extended_trigger_message: none,
  reserve: settleReservation,
  cancel_reservation: settleCancellation,
  get_local_list_version: settleListVersion,
  send_local_list: settleListPart,
  set_charging_profile: (tx, ended) => (isShareCommand(ended) ? settleShare : settleProfile)(tx, ended),
  clear_charging_profile: settleClearedProfiles,
  get_charging_profiles: expectReport('charging_profiles'),
  get_composite_schedule: none,
  get_diagnostics: settleFileRequest,
  get_security_log: settleFileRequest,
  update_firmware: none,
  update_signed_firmware: none,
  install_certificate: none,
  delete_certificate: none,
  list_certificates: none,
  sign_certificate_answer: none,
  set_password: settlePassword,
  set_network_profile: none,
  data_transfer: none,
  get_base_report: expectReport('variables'),
  get_report: expectReport('variables'),
  get_transaction_status: none,
  customer_information: expectReport('customer_information'),
}

/** The queue of commands, for the processes that stations are connected to. */
export const openCommandQueue = (deps: Pick<Deps, 'database' | 'clock' | 'config'>): CommandQueue =>
  makeCommandQueue(deps, COMMAND_EFFECTS)

/** Cancels a command of any action unless it was sent; returns whether it did. */
export const cancelCommandIfPending = (tx: TenantTx, id: string, now: Date): Promise<boolean> =>
  cancelIfPending(tx, id, { now, effects: COMMAND_EFFECTS })
