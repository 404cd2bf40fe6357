import { at } from '../../../kernel/checked.ts'
import type { Message } from '../../../kernel/messages.ts'
import type { DeliveredRows } from './delivered-rows.ts'
import { STATUSES, type Status } from './schema.ts'

export interface RowResult {
  readonly row: number
  readonly status: Status
  readonly message: Message | null
}

/** The outcome of each row of a delivery, in the order of the rows. */
export class Outcomes implements Iterable<RowResult> {
  readonly #rows: DeliveredRows
  readonly #statuses: Uint8Array
  /** Most rows have none. */
  readonly #messages = new Map<number, Message>()

  constructor(rows: DeliveredRows) {
    this.#rows = rows
    this.#statuses = new Uint8Array(rows.length)
  }

  set(index: number, status: Status, message: Message | null = null): void {
    this.#statuses[index] = STATUSES.indexOf(status)
    if (message) this.#messages.set(index, message)
    else this.#messages.delete(index)
  }

  statusOf(index: number): Status {
    return at(STATUSES, this.#statuses[index] ?? 0)
  }

  messageOf(index: number): Message | null {
    return this.#messages.get(index) ?? null
  }

  counts(): Record<Status, number> {
    const counts = { accepted: 0, unchanged: 0, corrected: 0, suspect: 0, rejected: 0 }
    for (let index = 0; index < this.#rows.length; index++) counts[this.statusOf(index)] += 1
    return counts
  }

  *[Symbol.iterator](): Generator<RowResult> {
    let index = 0
    for (const { row } of this.#rows) {
      yield { row, status: this.statusOf(index), message: this.messageOf(index) }
      index += 1
    }
  }
}
