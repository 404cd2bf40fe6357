import { type Static, Type } from 'typebox'
import { COMMAND_ACTIONS } from '../../../kernel/ocpp.ts'
import { Id, Instant, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { COMMAND_ANSWER_WAIT_MAX_S, COMMAND_WAIT_MAX_S, COMMAND_WAIT_MS } from '../limits.ts'
import { COMMAND_STATES } from './states.ts'

export const Command = Type.Object({
  id: Id,
  charger_id: Id,
  number: Type.Integer({
    description:
      'Commands are sent in the order of their numbers. What OCPP 2.0.1 calls requestId or remoteStartId.',
  }),
  action: { ...Word(COMMAND_ACTIONS), description: 'What the station was told to do.' },
  request: Type.Unsafe<unknown>({ description: 'As it was asked for, without secrets.' }),
  state: { ...Word(COMMAND_STATES), description: 'How far it has come, or how it ended.' },
  answer: Type.Unsafe<unknown>({ description: 'As the station gave it; null where there was none.' }),
  error: Nullable(
    Type.String({
      description: 'Why there was no answer: the OCPP error of the station, or a word of ours.',
    }),
  ),
  requested_by: Nullable({ ...Id, description: 'The user; null: the service itself.' }),
  created_at: Instant,
  sent_at: Nullable(Instant),
  ended_at: Nullable(Instant),
  expires_at: { ...Instant, description: 'It is not sent after this.' },
})

export const ExpiresIn = Type.Integer({
  minimum: 1,
  maximum: COMMAND_WAIT_MAX_S,
  description: `How long the command waits for the station to be connected, s; ${COMMAND_WAIT_MS / 1000} when absent.`,
})

export const WaitQuery = Type.Object({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: COMMAND_ANSWER_WAIT_MAX_S,
      description: 'Answers when the command has ended, or after so many seconds.',
    }),
  ),
})
export const CommandParams = Type.Object({ id: Id, command_id: Id })

export const CommandQuery = Type.Object({
  ...PageQuery(['number', 'created_at', 'ended_at']),
  action: Type.Optional({ ...OneOf(COMMAND_ACTIONS), description: 'Only these.' }),
  state: Type.Optional({ ...OneOf(COMMAND_STATES), description: 'Only these.' }),
})
export type CommandQuery = Static<typeof CommandQuery>
