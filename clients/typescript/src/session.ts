/** How requests are authorized. */
export type Credentials =
  | { readonly apiKey: string }
  | {
      /** Called for the first request and when a token was refused; rejects when there is no session any more. */
      readonly obtainToken: () => Promise<string>
    }
  | {
      readonly accessToken: string
      /** With it, an expired access token is replaced. */
      readonly refreshToken?: string | undefined
      /** Called with each new access token, in order to store it. */
      readonly onAccessToken?: (accessToken: string) => void
    }

/** Exchanges a refresh token for a new access token. */
export type Refresh = (refreshToken: string) => Promise<string>

/** The token of the client. Concurrent requests with an expired token cause one refresh. */
export class Session {
  private accessToken: string | undefined
  private readonly obtain: (() => Promise<string>) | undefined
  private refreshing: Promise<string> | undefined

  constructor(credentials: Credentials | undefined, refresh: Refresh) {
    if (!credentials) return
    if ('apiKey' in credentials) {
      this.accessToken = credentials.apiKey
    } else if ('obtainToken' in credentials) {
      this.obtain = credentials.obtainToken
    } else {
      const { accessToken, refreshToken, onAccessToken } = credentials
      this.accessToken = accessToken
      if (refreshToken === undefined) return
      this.obtain = async () => {
        const renewed = await refresh(refreshToken)
        onAccessToken?.(renewed)
        return renewed
      }
    }
  }

  get token(): string | undefined {
    return this.accessToken
  }

  /** The token of the next request, obtained first where there is none yet. */
  async currentToken(): Promise<string | undefined> {
    if (this.accessToken === undefined) await this.renew(undefined)
    return this.accessToken
  }

  /** Replaces `used`, which the server refused. False when there is no other token. */
  async renew(used: string | undefined): Promise<boolean> {
    if (this.accessToken !== used) return true
    if (!this.obtain) return false
    this.refreshing ??= this.obtain()
      .then((accessToken) => {
        this.accessToken = accessToken
        return accessToken
      })
      .finally(() => {
        this.refreshing = undefined
      })
    await this.refreshing
    return true
  }
}
