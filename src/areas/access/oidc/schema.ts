import { type Static, Type } from 'typebox'
import { EMAIL_MAX_LENGTH } from '../../../kernel/limits.ts'
import { described, Id, Instant, Nullable } from '../../../platform/http/fields.ts'
import {
  OIDC_CREDENTIAL_MAX_LENGTH,
  OIDC_DOMAINS_MAX,
  OIDC_ISSUER_MAX_LENGTH,
  OIDC_RETURN_URL_MAX_LENGTH,
  OIDC_SCOPES_MAX,
} from '../limits.ts'

const Issuer = Type.String({
  minLength: 1,
  maxLength: OIDC_ISSUER_MAX_LENGTH,
  description: 'Issuer of the provider: the address below which its discovery document is.',
})
const ClientId = Type.String({
  minLength: 1,
  maxLength: OIDC_CREDENTIAL_MAX_LENGTH,
  description: 'Client id that the provider has given to the service.',
})
const Scopes = Type.Array(
  Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' }),
  { maxItems: OIDC_SCOPES_MAX, description: 'Requested scopes; `openid` is added. Default: openid, email.' },
)
const Domains = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 253,
    pattern: '^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$',
  }),
  {
    minItems: 1,
    maxItems: OIDC_DOMAINS_MAX,
    description: 'Domains of the e-mail addresses whose users are linked or created, without subdomains.',
  },
)
const CreatesUsers = Type.Boolean({
  description: 'Whether a user is created for a verified address without a user. Default: false.',
})
const RoleId = Nullable(described(Id, 'Role of created users; needed with `creates_users`.'))
const IsEnabled = Type.Boolean({ description: 'Whether users can sign in at the provider. Default: true.' })
const AllowsPassword = Type.Boolean({
  description:
    'Whether users can also sign in by password while the provider is enabled. Administrators and superusers ' +
    'always can. Default: true.',
})

export const PutOidcProvider = Type.Object(
  {
    issuer: Issuer,
    client_id: ClientId,
    client_secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: OIDC_CREDENTIAL_MAX_LENGTH,
        description:
          'Client secret; never returned. Omitted: unchanged. It is needed for a new provider, and when ' +
          '`issuer` or `client_id` changes.',
      }),
    ),
    scopes: Type.Optional(Scopes),
    allowed_domains: Domains,
    creates_users: Type.Optional(CreatesUsers),
    role_id: Type.Optional(RoleId),
    is_enabled: Type.Optional(IsEnabled),
    allows_password: Type.Optional(AllowsPassword),
  },
  { title: 'PutOidcProvider' },
)

export const OidcProvider = Type.Object(
  {
    issuer: Issuer,
    client_id: ClientId,
    scopes: Scopes,
    allowed_domains: Domains,
    creates_users: CreatesUsers,
    role_id: RoleId,
    is_enabled: IsEnabled,
    allows_password: AllowsPassword,
    redirect_uri: Nullable(
      Type.String({
        description: 'Redirect URI to register at the provider; null while PUBLIC_BASE_URL is not set.',
      }),
    ),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'OidcProvider' },
)

export const OidcProviderTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the provider can be used.' }),
    message: Type.String({ description: 'Human-readable result.' }),
    message_code: Type.String({ description: 'Code of the result.' }),
  },
  { title: 'OidcProviderTest' },
)

export const StartOidc = Type.Object(
  {
    tenant: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Slug of the tenant; or `email`.' }),
    ),
    email: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: EMAIL_MAX_LENGTH,
        description: 'E-mail address of a user, which determines the tenant; or `tenant`.',
      }),
    ),
    redirect_uri: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: OIDC_RETURN_URL_MAX_LENGTH,
        description:
          'Address below PUBLIC_BASE_URL to which the browser returns. Default: a page of the service.',
      }),
    ),
  },
  { title: 'StartOidc' },
)
export const OidcStart = Type.Object(
  {
    authorization_url: Type.String({ description: 'Address at the provider to send the browser to.' }),
    sign_in_secret: Type.String({
      description:
        'Secret that the browser keeps, for example in its session storage, for `/api/auth/oidc/token`.',
    }),
    expires_in: Type.Integer({ description: 'Seconds until the sign-in expires.' }),
  },
  { title: 'OidcStart' },
)

const Token = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
export const RedeemOidcCode = Type.Object(
  {
    code: Token(
      'One-time code from the fragment of the address that the browser returned to; valid for 60 seconds.',
    ),
    sign_in_secret: Token('Secret of `/api/auth/oidc/start`.'),
  },
  { title: 'RedeemOidcCode' },
)

export type PutOidcProvider = Static<typeof PutOidcProvider>
export type StartOidc = Static<typeof StartOidc>
export type RedeemOidcCode = Static<typeof RedeemOidcCode>
