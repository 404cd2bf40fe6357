import type { App } from '../../platform/http/app-type.ts'

export function authRoutes(_app: App): void {}
