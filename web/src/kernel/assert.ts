/** Stands for `node:assert/strict` in a browser: a failure is a bug. */
function assert(condition: unknown, message?: string): asserts condition {
  if (!condition) throw new Error(message ?? 'assertion failed')
}

// biome-ignore lint/style/noDefaultExport: the module of Node.js has a default export
export default assert
