import { type Static, Type } from 'typebox'

export const ConfirmEmail = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Token from the most recent mail; valid for 24 hours, once.',
    }),
    password: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The password of the account, which shows that its owner has opened the link.',
    }),
  },
  { title: 'ConfirmEmail' },
)
export const Message = Type.Object(
  { message: Type.String({ description: 'For people.' }) },
  { title: 'Message' },
)

export type ConfirmEmail = Static<typeof ConfirmEmail>
