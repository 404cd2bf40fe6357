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
import { MessageText } from '../../../platform/http/message-texts.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { optional } from '../shared/index.ts'
import { STEPS } from './failure.ts'
import { MARKET_SECRET_LENGTH_MAX } from './limits.ts'
import { MARKETS, PRICE_STATUSES } from './series.ts'
import { WHITELIST_STATUSES } from './whitelist.ts'

const MARKET_TEXT = 'ptf: day-ahead price; smf: system marginal price.'
const STATUS_TEXT =
  'Maturity of the price. corrected: published again after it was final; the final row is kept. ' +
  'unknown: not among the fetched maturities.'

export const MarketPrice = Type.Object(
  {
    ts: described(Instant, 'The start of the hour; ISO 8601, UTC.'),
    market: described(Word(MARKETS), MARKET_TEXT),
    price_status: described(Word(PRICE_STATUSES), STATUS_TEXT),
    price_try_per_mwh: described(Decimal, 'Price as published, TRY/MWh. Zero is a valid price.'),
    fetched_at: described(Instant, 'Time at which the value was fetched from the platform.'),
  },
  { title: 'MarketPrice' },
)

export const PriceQuery = Type.Object({
  ...PageQuery(['ts', 'market', 'price_status', 'price_try_per_mwh', 'fetched_at']),
  from: Type.Optional(described(InstantIn, 'First hour. Without an offset Turkey-local.')),
  to: Type.Optional(described(InstantIn, 'End of the range, exclusive.')),
  market: Type.Optional(described(OneOf(MARKETS), MARKET_TEXT)),
  price_status: Type.Optional(described(OneOf(PRICE_STATUSES), 'Only rows of this maturity.')),
  best: Type.Boolean({
    default: false,
    description:
      'true: one row per hour and market with the most final price: corrected, otherwise final, ' +
      'otherwise tentative, otherwise unknown. price_status then filters these rows.',
  }),
})

/** The value of a stored secret in a response. In a request it leaves the secret unchanged. */
export const MASK = '********'
const MASKED_TEXT = `Secret, never returned: ${MASK} if one is stored, otherwise null.`

export const MarketAccount = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Display name of the account.' }),
    portal_username: Nullable(Type.String({ description: 'User name at the platform, an e-mail address.' })),
    portal_password: Nullable(Type.String({ description: MASKED_TEXT })),
    subscription_key: Nullable(Type.String({ description: MASKED_TEXT })),
    whitelist_status: described(
      Word(WHITELIST_STATUSES),
      'Progress of the approval of the account by the platform. Only the operation `transition` changes it.',
    ),
    last_test_at: Nullable(
      described(Instant, 'Time of the last test-call with the current credentials; null if there was none.'),
    ),
    last_test_ok: Nullable(
      Type.Boolean({
        description: 'Whether the last test-call succeeded; prices are pulled only in this case.',
      }),
    ),
    last_test_step: Nullable(described(Word(STEPS), 'Step that failed.')),
    last_test_message: Nullable(MessageText('Human-readable result.')),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'MarketAccount' },
)

/** The key is sent in an HTTP header. */
const SubscriptionKey = Type.String({
  minLength: 1,
  maxLength: MARKET_SECRET_LENGTH_MAX,
  pattern: '^[\\x21-\\x7e]+$',
})
const SECRET_TEXT = `Stored encrypted and never returned. ${MASK}, as in a response, leaves it unchanged; null removes it.`

const accountFields = {
  name: described(Text(200), 'Display name of the account.'),
  portal_username: optional(described(Text(254), 'User name at the platform, an e-mail address.')),
  portal_password: optional(described(Text(MARKET_SECRET_LENGTH_MAX), SECRET_TEXT)),
  subscription_key: optional(
    described(
      SubscriptionKey,
      `Subscription key for the gateway of the platform, if required. ${SECRET_TEXT}`,
    ),
  ),
}
export const CreateMarketAccount = Type.Object(accountFields, { title: 'CreateMarketAccount' })
/** Omitted fields are unchanged. */
export const UpdateMarketAccount = Type.Partial(CreateMarketAccount, { title: 'UpdateMarketAccount' })

export const Transition = Type.Object(
  {
    whitelist_status: described(
      OneOf(WHITELIST_STATUSES),
      'The next status, or blocked from every status; from blocked only not_started.',
    ),
  },
  { title: 'MarketAccountTransition' },
)

export const AccountQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'whitelist_status']),
  search: Search('name'),
})

export const TestCall = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the platform returned prices.' }),
    tested_at: Instant,
    failed_step: Nullable(
      described(
        Word(STEPS),
        'credentials: incomplete, or cannot be decrypted; login: rejected; whitelist: the address of the ' +
          'service is not approved; subscription: missing; call: no valid response.',
      ),
    ),
    message: MessageText('Human-readable result.'),
    prices: Type.Integer({
      description: 'Number of prices that the platform returned for the requested day.',
    }),
  },
  { title: 'MarketTestCall' },
)

export type PriceQuery = Static<typeof PriceQuery>
export type CreateMarketAccount = Static<typeof CreateMarketAccount>
export type UpdateMarketAccount = Static<typeof UpdateMarketAccount>
export type AccountQuery = Static<typeof AccountQuery>
