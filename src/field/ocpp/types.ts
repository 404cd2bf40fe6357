import type {
  CancelReservation,
  ClearChargingProfiles,
  CommandRequests,
  DeleteCertificate,
  GetCompositeSchedule,
  GetFile,
  InstallCertificate,
  ListCertificates,
  Reserve,
  SendLocalList,
  SetChargingProfile,
  SignedCertificate,
  UpdateFirmware,
} from '../../areas/charging/stations.ts'
import type { CommandAction, OcppVersion } from '../../kernel/ocpp.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { MessagesV16 } from './messages-v16.ts'
import type { MessagesV201 } from './messages-v201.ts'

/** The services that everything in `field/ocpp` is built from. */
export type OcppDeps = Pick<
  Deps,
  | 'database'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'readiness'
  | 'bus'
  | 'broker'
  | 'ingest'
  | 'config'
  | 'background'
  | 'passwords'
>

/** The payloads of some messages, by action. */
export type Messages = Readonly<Record<string, { readonly request: object; readonly response: object }>>

/** All messages of each version, generated from the schemas of the Open Charge Alliance. */
export interface MessagesByVersion {
  readonly '1.6': MessagesV16
  readonly '2.0.1': MessagesV201
}

/** An authenticated station on an open socket. */
export interface Station {
  readonly tenantId: number
  readonly chargerId: string
  readonly cpid: string
  readonly version: OcppVersion
  /** The id of this socket, as charger.connection_id has it. */
  readonly connectionId: string
  /**
   * Sends a call; one is under way at a time and further ones wait. Rejects with OcppCallError (the station
   * refused), OcppTimeout (it did not respond in time) or OcppClosed (the socket was closed). A handler never
   * calls it while it makes its response.
   */
  call(action: string, payload: object, options?: { readonly timeoutMs?: number }): Promise<object>
}

/**
 * Handles the request of a station's call, which fits its schema (after normalization), and resolves with the
 * response. The response is sent after that, so after the commit of the handler. An OcppCallError becomes the
 * CALLERROR of its code; every other error becomes one that discloses nothing about the service, so that the
 * station repeats what matters.
 */
export type Handler<Message extends Messages[string]> = (
  station: Station,
  request: Message['request'],
) => Promise<Message['response']>

/** Handlers by action, such as BootNotification. An action without a handler is answered NotSupported. */
export type Handlers<M extends Messages> = { readonly [Action in keyof M]?: Handler<M[Action]> }

/** Handlers of actions that both versions have: they take the request of either and return what fits both. */
export type SharedHandlers<Action extends keyof MessagesV16 & keyof MessagesV201> = {
  readonly [A in Action]: (
    station: Station,
    request: MessagesV16[A]['request'] | MessagesV201[A]['request'],
  ) => Promise<MessagesV16[A]['response'] & MessagesV201[A]['response']>
}

/** The properties of the charger and of its command that the encoding of a command depends on. */
export interface CommandTarget {
  readonly cpid: string
  readonly version: OcppVersion
  /** The sequence number of the command (charger_command.seq); 2.0.1 calls it requestId or remoteStartId. */
  readonly commandNumber: number
}

export type Verdict = 'accepted' | 'rejected'

/** The encoding of one of our commands in a version of OCPP. */
export interface CommandEncoder<Request> {
  /** The OCPP name of the call. */
  readonly action: string
  /** `request` is validated over HTTP and stored in the record of the command. */
  encode(request: Request, target: CommandTarget): object
  /** Decides whether the station accepted the command; `response` fits its schema. */
  verdict(response: object): Verdict
}

/** The stored request of every command. */
export interface QueuedRequests extends CommandRequests {
  readonly reserve: Reserve
  readonly cancel_reservation: CancelReservation
  readonly get_local_list_version: object
  readonly send_local_list: SendLocalList
  readonly set_charging_profile: SetChargingProfile
  readonly clear_charging_profile: ClearChargingProfiles
  readonly get_composite_schedule: GetCompositeSchedule
  readonly get_diagnostics: GetFile
  readonly get_security_log: GetFile
  readonly update_firmware: UpdateFirmware
  readonly update_signed_firmware: UpdateFirmware
  readonly install_certificate: InstallCertificate
  readonly delete_certificate: DeleteCertificate
  readonly list_certificates: ListCertificates
  readonly sign_certificate_answer: SignedCertificate
}

/** A command without an entry does not exist in this version. */
export type Encoders = { readonly [Action in CommandAction]?: CommandEncoder<QueuedRequests[Action]> }
