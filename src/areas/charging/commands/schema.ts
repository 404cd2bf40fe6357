import { type Static, Type } from 'typebox'
import { COMMAND_ACTIONS } from '../../../kernel/ocpp.ts'
import { Id, Instant, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { TextOrMessage } from '../../../platform/http/message-texts.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { COMMAND_ANSWER_WAIT_MAX_S, COMMAND_WAIT_MAX_S, COMMAND_WAIT_MS } from '../limits.ts'
import { COMMAND_STATES } from './states.ts'

export const Command = Type.Object(
  {
    id: Id,
    charger_id: Id,
    number: Type.Integer({
      description:
        'Command number; commands are sent in this order. Used as requestId or remoteStartId in OCPP 2.0.1.',
    }),
    action: { ...Word(COMMAND_ACTIONS), description: 'Action of the command.' },
    request: Type.Unsafe<unknown>({ description: 'Parameters of the command, without secrets.' }),
    state: { ...Word(COMMAND_STATES), description: 'State of the command.' },
    reason: Nullable(
      Type.String({
        description:
          'Why the command was not accepted, in a word: `statusInfo.reasonCode` or `status` of the response, the ' +
          'code of an OCPP error, an error code of the service, no_answer or not_delivered. Null while the command ' +
          'is open, after an accepted one, and after a cancellation by a user.',
      }),
    ),
    answer: Type.Unsafe<unknown>({ description: 'Response of the station; null if there was none.' }),
    error: Nullable(
      TextOrMessage(
        'Reason for a missing response: the OCPP error of the station, or an error code or a text of the service.',
      ),
    ),
    requested_by: Nullable({ ...Id, description: 'User who requested the command; null: the service.' }),
    created_at: Instant,
    sent_at: Nullable(Instant),
    ended_at: Nullable(Instant),
    expires_at: { ...Instant, description: 'Time after which the command is not sent.' },
  },
  { title: 'ChargerCommand' },
)

export const ExpiresIn = Type.Integer({
  minimum: 1,
  maximum: COMMAND_WAIT_MAX_S,
  description: `Time for which the command waits for the station to be connected, s. Default: ${COMMAND_WAIT_MS / 1000}.`,
})

export const WaitQuery = Type.Object({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: COMMAND_ANSWER_WAIT_MAX_S,
      description: 'Maximum number of seconds to wait for the end of the command before the response.',
    }),
  ),
})
export const CommandParams = Type.Object({ id: Id, command_id: Id })

export const CommandQuery = Type.Object({
  ...PageQuery(['number', 'created_at', 'ended_at']),
  action: Type.Optional({ ...OneOf(COMMAND_ACTIONS), description: 'Only records with this value.' }),
  state: Type.Optional({ ...OneOf(COMMAND_STATES), description: 'Only records with this value.' }),
})
export type CommandQuery = Static<typeof CommandQuery>
