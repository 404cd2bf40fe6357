import type { App } from './app-type.ts'

/** Fastify searches all loaded modules for the name of a plugin that has no display name. */
const DISPLAY_NAME = Symbol.for('fastify.display-name')

/** Registers routes in a scope of their own: prefix, hooks and error handler end with it. */
export function mount(app: App, prefix: string, routes: (scope: App) => void): void {
  const plugin = (scope: unknown, _options: unknown, done: () => void): void => {
    routes(scope as App)
    done()
  }
  void app.register(Object.assign(plugin, { [DISPLAY_NAME]: `routes ${prefix}` }), { prefix })
}
