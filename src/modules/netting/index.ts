export { type BuildRequest, type BuildResult, buildFacts } from './hourly-energy/index.ts'
export { nettingRoutes } from './routes.ts'
