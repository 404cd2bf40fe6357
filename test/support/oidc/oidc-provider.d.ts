/** The parts of oidc-provider that the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    on(event: string, listener: (...values: unknown[]) => void): void
  }
}
