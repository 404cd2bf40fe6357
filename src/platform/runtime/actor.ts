import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Who causes the changes of the current work: the caller of a request, a job, or a command. Every transaction passes
 * it to the database, whose triggers write it into the change log (ADR 0077). It follows the work through promises
 * and callbacks, because changes are made many calls below the edge that knows the caller. Work without an actor,
 * such as the messages of devices, is that of the service itself.
 */
export interface Actor {
  readonly kind: 'user' | 'anonymous' | 'job' | 'command'
  /** The operation of the API, the job, or the command. */
  readonly operation: string
  readonly user_id?: string
  readonly api_key_id?: string
  readonly request_id?: string
  readonly ip?: string
  /** The time of the request by the clock of the service, ISO 8601; by default that of the database. */
  readonly at?: string
}

const actors = new AsyncLocalStorage<Actor>()

export const currentActor = (): Actor | undefined => actors.getStore()

/** Runs work, and everything that it starts, in the name of the actor. */
export const runAs = <T>(actor: Actor, work: () => T): T => actors.run(actor, work)
