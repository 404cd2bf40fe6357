import { type Static, Type } from 'typebox'
import {
  Decimal,
  described,
  Id,
  Instant,
  InstantIn,
  Nullable,
  OneOf,
  Text,
  Word,
} from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { optional } from '../shared/index.ts'
import { STEPS } from './failure.ts'
import { MARKET_SECRET_LENGTH_MAX } from './limits.ts'
import { MARKETS, PRICE_STATUSES } from './series.ts'
import { WHITELIST_STATUSES } from './whitelist.ts'

const MARKET_TEXT = 'ptf: day-ahead price; smf: system marginal price.'
const STATUS_TEXT =
  'How final the price is. corrected: published anew after it was final; the final row stays. ' +
  'unknown: none that we fetch.'

export const MarketPrice = Type.Object({
  ts: described(Instant, 'The start of the hour; ISO 8601, UTC.'),
  market: described(Word(MARKETS), MARKET_TEXT),
  price_status: described(Word(PRICE_STATUSES), STATUS_TEXT),
  price_try_per_mwh: described(Decimal, 'TRY/MWh, as published. Zero is a price.'),
  fetched_at: described(Instant, 'When the platform told us this value.'),
})

export const PriceQuery = Type.Object({
  ...PageQuery(['ts', 'market', 'price_status', 'price_try_per_mwh', 'fetched_at']),
  from: Type.Optional(described(InstantIn, 'First hour. Without an offset Turkey-local.')),
  to: Type.Optional(described(InstantIn, 'End of the range, itself not included.')),
  market: Type.Optional(described(OneOf(MARKETS), MARKET_TEXT)),
  price_status: Type.Optional(described(OneOf(PRICE_STATUSES), 'Only rows of this maturity.')),
  best: Type.Boolean({
    default: false,
    description:
      'One row an hour and market, the most final there is: corrected, else final, else tentative, ' +
      'else unknown. price_status then filters these rows.',
  }),
})

/** The value of a stored secret in a response. In a request it leaves the secret unchanged. */
export const MASK = '********'
const MASKED_TEXT = `Never shown: ${MASK} when one is stored, else null.`

export const MarketAccount = Type.Object({
  id: Id,
  name: Type.String({ description: 'What people call the account.' }),
  portal_username: Nullable(Type.String({ description: 'User name of the platform, an e-mail address.' })),
  portal_password: Nullable(Type.String({ description: MASKED_TEXT })),
  subscription_key: Nullable(Type.String({ description: MASKED_TEXT })),
  whitelist_status: described(
    Word(WHITELIST_STATUSES),
    'How far the account is on its way to the data. Only `transition` changes it.',
  ),
  last_test_at: Nullable(
    described(Instant, 'When the credentials as they are were last tried by test-call; null when never.'),
  ),
  last_test_ok: Nullable(
    Type.Boolean({ description: 'Whether that went well: prices are pulled only then.' }),
  ),
  last_test_step: Nullable(described(Word(STEPS), 'What failed.')),
  last_test_message: Nullable(Type.String({ description: 'What came of it, for people.' })),
  created_at: Instant,
  updated_at: Instant,
})

/** The key is sent in an HTTP header. */
const SubscriptionKey = Type.String({
  minLength: 1,
  maxLength: MARKET_SECRET_LENGTH_MAX,
  pattern: '^[\\x21-\\x7e]+$',
})
const SECRET_TEXT = `Stored sealed and never shown again. ${MASK}, as an answer shows it, leaves it unchanged; null removes it.`

const accountFields = {
  name: described(Text(200), 'What people call the account.'),
  portal_username: optional(described(Text(254), 'User name of the platform, an e-mail address.')),
  portal_password: optional(described(Text(MARKET_SECRET_LENGTH_MAX), SECRET_TEXT)),
  subscription_key: optional(
    described(SubscriptionKey, `Sent along where the platform's gateway asks for one. ${SECRET_TEXT}`),
  ),
}
export const CreateMarketAccount = Type.Object(accountFields)
/** Omitted fields are unchanged. */
export const UpdateMarketAccount = Type.Partial(CreateMarketAccount)

export const Transition = Type.Object({
  whitelist_status: described(
    OneOf(WHITELIST_STATUSES),
    'The next state, or blocked from anywhere; from blocked only not_started.',
  ),
})

export const AccountQuery = Type.Object(PageQuery(['created_at', 'name', 'whitelist_status']))

export const TestCall = Type.Object({
  ok: Type.Boolean({ description: 'Whether the platform gave an answer of prices.' }),
  tested_at: Instant,
  failed_step: Nullable(
    described(
      Word(STEPS),
      'credentials: incomplete, or they cannot be opened; login: refused; whitelist: our address ' +
        'is not known; subscription: missing; call: no good answer.',
    ),
  ),
  message: Type.String({ description: 'What came of it, for people.' }),
  prices: Type.Integer({ description: 'Prices of the asked day that the platform answered with.' }),
})

export type PriceQuery = Static<typeof PriceQuery>
export type CreateMarketAccount = Static<typeof CreateMarketAccount>
export type UpdateMarketAccount = Static<typeof UpdateMarketAccount>
export type AccountQuery = Static<typeof AccountQuery>
