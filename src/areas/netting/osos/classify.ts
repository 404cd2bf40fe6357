import { formatKwh, type Kwh } from '../../../kernel/decimal.ts'
import { FIRST_BILLING_PERIOD } from '../../../kernel/limits.ts'
import type { Message } from '../../../kernel/messages.ts'
import { HOUR_MS, periodStart } from '../../../kernel/time.ts'
import type { DeliveredRows, SentRow } from './delivered-rows.ts'
import { classifyHour, type SentHour } from './energy.ts'
import { READING_TEXTS } from './messages.ts'
import type { Outcomes } from './outcomes.ts'
import type { NewReading } from './reading-store.ts'

const FIRST_HOUR = periodStart(FIRST_BILLING_PERIOD)

/** The reason why a reading of an hour is not stored. */
export function timeFault(hour: number, now: number): Message | undefined {
  if (hour + HOUR_MS > now) return READING_TEXTS.READING_HOUR_NOT_OVER()
  return hour < FIRST_HOUR ? READING_TEXTS.READING_TOO_EARLY({ first: FIRST_BILLING_PERIOD }) : undefined
}

interface ClassifierRules {
  readonly rows: DeliveredRows
  readonly outcomes: Outcomes
  readonly multipliers: ReadonlyMap<string, bigint>
  readonly multiplied: boolean
  readonly now: number
}

/** Decides about rows in their order, and collects those to be stored. */
export class Classifier {
  readonly #rules: ClassifierRules
  /** The index of the first row of each installation and hour. */
  readonly #firstRows = new Map<string, Map<number, number>>()
  #readings: NewReading[] = []
  #indexes: number[] = []

  constructor(rules: ClassifierRules) {
    this.#rules = rules
  }

  get outcomes(): Outcomes {
    return this.#rules.outcomes
  }

  /** The readings to be stored, which may still become unchanged or corrected. */
  get readings(): readonly NewReading[] {
    return this.#readings
  }

  /** Returns the readings with the indexes of their rows, and begins a new block. */
  take() {
    const [list, indexes] = [this.#readings, this.#indexes]
    this.#readings = []
    this.#indexes = []
    return { readings: list, indexes }
  }

  add({ installationId, sent }: SentRow, index: number): void {
    const { multipliers, now } = this.#rules
    const fault = 'code' in sent ? sent : timeFault(sent.hour, now)
    const multiplier = multipliers.get(installationId)
    if (fault !== undefined || 'code' in sent || multiplier === undefined) {
      this.outcomes.set(index, 'rejected', fault ?? READING_TEXTS.READING_INSTALLATION_DELETED())
      return
    }
    const known = this.#firstRows.get(installationId) ?? new Map<number, number>()
    this.#firstRows.set(installationId, known)
    const hourNo = sent.hour / HOUR_MS
    const first = known.get(hourNo)
    if (first === undefined) {
      known.set(hourNo, index)
      this.#addReading({ installationId, sent, multiplier }, index)
    } else this.#addRepeated(sent, index, first)
  }

  #addRepeated(sent: SentHour, index: number, firstIndex: number): void {
    const first = this.#rules.rows.at(firstIndex)
    if (!first || 'code' in first.sent) throw new Error(`row ${firstIndex} has no reading`)
    const isSame = sent.imported === first.sent.imported && sent.exported === first.sent.exported
    if (isSame) this.outcomes.set(index, 'unchanged')
    else this.outcomes.set(index, 'rejected', READING_TEXTS.READING_REPEATED({ first_row: first.row }))
  }

  #addReading(
    { installationId, sent, multiplier }: Omit<SentRow, 'row'> & { sent: SentHour; multiplier: bigint },
    index: number,
  ): void {
    const classified = classifyHour(sent, { multiplied: this.#rules.multiplied, multiplier })
    if (classified.kind === 'rejected') {
      this.outcomes.set(index, 'rejected', classified.content)
      return
    }
    const isSuspect = classified.kind === 'suspect'
    this.#indexes.push(index)
    this.#readings.push({
      installationId,
      hour: sent.hour,
      importKwh: isSuspect ? null : text(classified.importKwh),
      exportKwh: isSuspect ? null : text(classified.exportKwh),
      rawText: isSuspect ? classified.rawText : null,
      completenessPct: sent.completenessPct ?? 100,
      isReset: sent.isReset ?? false,
    })
    if (isSuspect)
      this.outcomes.set(index, 'suspect', READING_TEXTS.READING_NEGATIVE({ value: classified.rawText }))
    else this.outcomes.set(index, 'accepted')
  }
}

const text = (value: Kwh | null): string | null => (value === null ? null : formatKwh(value))
