import { at } from '../../../kernel/checked.ts'
import { unprocessable } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { parseValidInstant } from '../../../kernel/time.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { ProfileFields, Schedule } from './profile.ts'
import type { ProfileBody } from './schema.ts'

const broken = (message: Message) => unprocessable('BUSINESS_RULE_VIOLATION', message)

const instant = (text: string | null | undefined): string | null =>
  text ? parseValidInstant(text).toISOString() : null

/** Rounds down to the one decimal that OCPP allows. A limit is never rounded up. */
const oneDecimal = (value: number): number => Math.floor(value * 10 + 1e-9) / 10

function scheduleOf({ kind, schedule }: ProfileBody, now: Date): Schedule {
  const { periods, unit, duration_seconds, min_rate } = schedule
  if (periods[0]?.start_second !== 0) throw broken(CHARGING_TEXTS.PROFILE_FIRST_PERIOD())
  for (const [index, period] of periods.entries())
    if (index > 0 && period.start_second <= at(periods, index - 1).start_second)
      throw broken(CHARGING_TEXTS.PROFILE_PERIODS_ASCEND())
  if (kind === 'relative' && schedule.start_at) throw broken(CHARGING_TEXTS.PROFILE_RELATIVE_START())
  return {
    unit,
    start_at: kind === 'relative' ? null : (instant(schedule.start_at) ?? now.toISOString()),
    duration_seconds: duration_seconds ?? null,
    min_rate: typeof min_rate === 'number' ? oneDecimal(min_rate) : null,
    periods: periods.map(({ start_second, limit, phases }) => ({
      start_second,
      limit: oneDecimal(limit),
      phases: phases ?? null,
    })),
  }
}

/** Turns a body into a profile, without its purpose. 422 for fields that contradict each other. */
export function profileOf(body: ProfileBody, now: Date): ProfileFields {
  const recurrency = body.recurrency ?? null
  if ((body.kind === 'recurring') !== (recurrency !== null)) throw broken(CHARGING_TEXTS.PROFILE_RECURRENCY())
  const valid_from = instant(body.valid_from)
  const valid_to = instant(body.valid_to)
  if (valid_to !== null && valid_to <= (valid_from ?? now.toISOString()))
    throw broken(CHARGING_TEXTS.PROFILE_VALIDITY())
  return {
    stack_level: body.stack_level,
    kind: body.kind,
    recurrency,
    valid_from,
    valid_to,
    schedule: scheduleOf(body, now),
  }
}
