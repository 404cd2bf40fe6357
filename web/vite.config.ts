import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The service that `npm run dev:web` uses. */
const SERVICE = process.env['NETSAAT_URL'] ?? 'http://127.0.0.1:8080'

/** What the service writes into the page (src/http/console.ts), for the development server. */
const placeholders: Plugin = {
  name: 'page-placeholders',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('%ROOT%', '/').replace('%NONCE%', ''),
}

/** The packages of the controls have texts in 34 languages; those that the console does not have are left out. */
const controlTexts: Plugin = {
  name: 'control-texts',
  load: (id) =>
    /[\\/]react-(?:aria|stately)[\\/]dist[\\/].*[\\/]intl[\\/].*[\\/](?!en-US|tr-TR)[a-z]{2}-[A-Z]{2}\.m?js$/.test(
      id,
    )
      ? 'export default {}'
      : undefined,
}

export default defineConfig({
  plugins: [react(), placeholders, controlTexts],
  // Addresses are relative to the element `base` of the page.
  base: './',
  // Modules of the service that the console shares check their invariants with it.
  resolve: {
    alias: { 'node:assert/strict': fileURLToPath(new URL('src/kernel/assert.ts', import.meta.url)) },
  },
  server: { proxy: { '/api': SERVICE, '/openapi.json': SERVICE, '/ws': { target: SERVICE, ws: true } } },
  build: {
    target: 'es2022',
    // An inlined file would be an address `data:`, which the Content-Security-Policy allows for images only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
})
