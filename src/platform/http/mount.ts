import type { App } from './app-type.ts'

/** Registers routes in a scope of their own: prefix, hooks and error handler end with it. */
export function mount(app: App, prefix: string, routes: (scope: App) => void): void {
  void app.register(
    (scope, _options, done) => {
      routes(scope as unknown as App)
      done()
    },
    { prefix },
  )
}
