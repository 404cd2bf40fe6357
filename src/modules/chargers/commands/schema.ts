import { type Static, Type } from 'typebox'
import { COMMAND_ACTIONS } from '../../../kernel/ocpp.ts'
import { Id, Instant, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { COMMAND_STATES } from './states.ts'

export const Command = Type.Object({
  id: Id,
  charger_id: Id,
  number: Type.Integer({
    description:
      'Commands are sent in the order of their numbers. What OCPP 2.0.1 calls requestId or remoteStartId.',
  }),
  action: Word(COMMAND_ACTIONS),
  request: Type.Unsafe<unknown>({ description: 'As it was asked for, without secrets.' }),
  state: Word(COMMAND_STATES),
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

export const CommandQuery = Type.Object({
  ...PageQuery(['number', 'created_at', 'ended_at']),
  action: Type.Optional(OneOf(COMMAND_ACTIONS)),
  state: Type.Optional(OneOf(COMMAND_STATES)),
})
export type CommandQuery = Static<typeof CommandQuery>
