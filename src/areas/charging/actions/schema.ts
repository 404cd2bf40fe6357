import { Type } from 'typebox'
import { OneOf } from '../../../platform/http/fields.ts'
import { ExpiresIn } from '../commands/index.ts'
import { OPERATOR_ACTIONS, type OperatorAction, REQUESTS } from './requests.ts'

const bodies = OPERATOR_ACTIONS.map((action) =>
  Type.Object({
    action: Type.Literal(action, { description: 'Action of the command.' }),
    expires_in_s: Type.Optional(ExpiresIn),
    ...REQUESTS[action].properties,
  }),
)

export interface CommandBody {
  readonly action: OperatorAction
  readonly expires_in_s?: number
  readonly [key: string]: unknown
}
/** Validated by its action: a failure names the field of that action alone. */
export const CommandBody = Type.Unsafe<CommandBody>({
  type: 'object',
  properties: { action: { ...OneOf(OPERATOR_ACTIONS), description: 'Action of the command.' } },
  required: ['action'],
  discriminator: { propertyName: 'action' },
  oneOf: bodies,
})
