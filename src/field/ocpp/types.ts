import type { CommandAction, OcppVersion } from '../../kernel/ocpp.ts'
import type { Deps } from '../../platform/deps.ts'

/** What everything below `ingest/ocpp` is built from. */
export type OcppDeps = Pick<
  Deps,
  | 'database'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'bus'
  | 'broker'
  | 'ingest'
  | 'config'
  | 'background'
  | 'passwords'
>

/** An authenticated station on an open socket. */
export interface Station {
  readonly tenantId: number
  readonly chargerId: string
  readonly cpid: string
  readonly version: OcppVersion
  /** Of this socket, as charger.connection_id has it. */
  readonly connectionId: string
  /**
   * One call at a time; further ones wait. Rejects with OcppCallError (the station refused), OcppTimeout (it did not
   * answer in time) or OcppClosed (the socket went). Never used by a handler while it answers.
   */
  call(action: string, payload: object, options?: { readonly timeoutMs?: number }): Promise<unknown>
}

/**
 * Takes the payload of a station's call, which fits its schema (after the tolerance rules), and resolves with the
 * answer's payload. It is sent after that, so after the handler's commit. OcppCallError becomes the CALLERROR that it
 * says; every other error one that says nothing about us, so that the station repeats what matters.
 */
export type Handler = (station: Station, payload: never) => Promise<object>

/** By the action's OCPP name, such as BootNotification. */
export type Handlers = Readonly<Record<string, Handler>>

/** The charger that a command is for, as far as saying it depends on it. */
export interface CommandTarget {
  readonly cpid: string
  readonly version: OcppVersion
  /** The command's place in the order (charger_command.seq): what 2.0.1 calls a requestId or remoteStartId. */
  readonly commandNumber: number
}

/** How one of our commands is said in a version of OCPP. */
export interface CommandEncoder {
  /** The OCPP name of the call. */
  readonly action: string
  /** From the request as it was validated over HTTP, and is in the command's record. */
  encode(request: never, target: CommandTarget): object
  /** What the station's answer says; it fits its schema. */
  verdict(answer: never): 'accepted' | 'rejected'
}

/** A command without an entry does not exist in this version. */
export type Encoders = Readonly<Partial<Record<CommandAction, CommandEncoder>>>
