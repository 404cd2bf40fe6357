/** How requests are authorized. */
export type Credentials =
  | { readonly apiKey: string }
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
  private readonly refreshToken: string | undefined
  private readonly onAccessToken: ((accessToken: string) => void) | undefined
  private readonly refresh: Refresh
  private refreshing: Promise<string> | undefined

  constructor(credentials: Credentials | undefined, refresh: Refresh) {
    this.refresh = refresh
    if (!credentials) return
    if ('apiKey' in credentials) {
      this.accessToken = credentials.apiKey
      return
    }
    this.accessToken = credentials.accessToken
    this.refreshToken = credentials.refreshToken
    this.onAccessToken = credentials.onAccessToken
  }

  get token(): string | undefined {
    return this.accessToken
  }

  /** Replaces `used`, which the server refused. False when there is no other token. */
  async renew(used: string | undefined): Promise<boolean> {
    if (this.accessToken !== used) return true
    const { refreshToken } = this
    if (refreshToken === undefined) return false
    this.refreshing ??= this.refresh(refreshToken)
      .then((accessToken) => {
        this.accessToken = accessToken
        this.onAccessToken?.(accessToken)
        return accessToken
      })
      .finally(() => {
        this.refreshing = undefined
      })
    await this.refreshing
    return true
  }
}
